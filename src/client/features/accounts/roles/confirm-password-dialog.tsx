import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CONFIRM_PASSWORD_FAILED, OWN_PASSWORD_MISSING } from '../../../../shared/accounts/rules.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { session } from '../../../core/session/session.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { showRefusal } from '../../../core/ui/forms/form-errors.ts'
import { errorTexts, inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import '../../../core/ui/forms/field.css'

interface ConfirmPasswordDialogProps extends OverlayProps {
  /** Called once, with whether there is a new admin token. */
  onEnd: (isConfirmed: boolean) => void
}

/** 'Şifreni doğrula': asks a root admin for the password, and stores the admin token. */
export function ConfirmPasswordDialog({ onEnd, onClose }: ConfirmPasswordDialogProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  // Called for every way of closing.
  useEffect(() => () => onEnd(false), [onEnd])
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    if (isBusy) return
    setBusy(true)
    const body = { password: new FormData(form).get('password') }
    const answer = await callApi<'confirmPassword'>('/users/confirm-password', { as: 'user', body })
    setBusy(false)
    if (isFailure(answer)) return void showRefusal(form, 'password', failureText(answer, CONFIRM_PASSWORD_FAILED))
    session.setAdminToken(answer.adminToken)
    onEnd(true)
    onClose()
  }
  return (
    <Modal title="Şifreni doğrula" onClose={onClose}>
      <form className="stack gap-5" {...inlineErrors} onSubmit={submit}>
        <p className="subject">Yönetici işlemleri için şifren 15 dakikada bir sorulur.</p>
        {/* For password managers. */}
        <input type="text" name="username" autoComplete="username" value={session.username()} readOnly hidden />
        <ConfirmedPasswordField />
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--accent" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            Doğrula
          </button>
        </div>
      </form>
    </Modal>
  )
}

function ConfirmedPasswordField(): ReactNode {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // `autoFocus` would come before the dialog is open, which then focuses its first button.
  useEffect(() => input.current?.focus(), [])
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Şifre
      </label>
      <input
        ref={input}
        id={id}
        className="field-input"
        name="password"
        type="password"
        required
        {...errorTexts({ missing: OWN_PASSWORD_MISSING })}
        maxLength={128}
        autoComplete="current-password"
      />
    </div>
  )
}
