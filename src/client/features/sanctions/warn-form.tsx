import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { MAX_WARNING_LENGTH } from '../../../shared/sanctions/limits.ts'
import {
  WARN_FAILED,
  WARN_LABEL,
  WARNING_MISSING,
  WARNING_TEXTS,
  warnDoneText,
} from '../../../shared/sanctions/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import { useFieldError } from '../../core/ui/forms/use-field-error.ts'
import '../../model/moderation/moderation.css'
import '../../core/ui/forms/field.css'
import './sanction-forms.lazy.css'

/** 'Uyar': the text of a warning, with ready ones to start from. */
export function WarnForm({ username, onClose }: OverlayProps & { username: string }): ReactNode {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await callApi<'warnUser'>('/users/warn', { as: 'admin', body: { username, text: text.trim() } })
    setBusy(false)
    if (toastIfFailed(answer, WARN_FAILED)) return
    void toast(warnDoneText(username), 'success')
    onClose()
  }
  return (
    <Modal title={WARN_LABEL} isFullScreen onClose={onClose}>
      <form className="stack gap-5 sanction-form" {...inlineErrors} onSubmit={submit}>
        <p className="subject">
          <bdi>{username}</bdi> bu metni bir pencerede görür ve onaylayana kadar devam edemez.
        </p>
        <WarningText text={text} onType={setText} />
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--accent" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            {WARN_LABEL}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function WarningText({ text, onType }: { text: string; onType: (text: string) => void }): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLTextAreaElement>(text.trim() === '' ? WARNING_MISSING : null)
  return (
    <div className="field">
      <p className="field-label" id={`${id}ready`}>
        Hazır metinler
      </p>
      <ul className="stack" aria-labelledby={`${id}ready`}>
        {WARNING_TEXTS.map((ready) => (
          <li key={ready}>
            <button type="button" aria-pressed={text === ready} onClick={() => onType(ready)}>
              {ready}
            </button>
          </li>
        ))}
      </ul>
      <label className="field-label" htmlFor={id}>
        Uyarı metni
      </label>
      <textarea
        dir="auto"
        ref={field}
        id={id}
        className="field-input field-area"
        rows={4}
        required
        maxLength={MAX_WARNING_LENGTH}
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
      <p className="field-hint">
        {text.length}/{MAX_WARNING_LENGTH}
      </p>
    </div>
  )
}
