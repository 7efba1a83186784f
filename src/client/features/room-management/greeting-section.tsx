import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { MAX_GREETING_LENGTH, MAX_GREETING_LINES } from '../../../shared/room-management/limits.ts'
import { GREETING_LABEL, GREETING_SAVED } from '../../../shared/room-management/texts.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { saveGreeting } from './room-settings.ts'
import '../../core/ui/forms/field.css'

/** The text that users see when they enter the room; an empty one removes it. */
export function GreetingSection({ roomId, details, reload }: RoomManagementSectionProps): ReactNode {
  const fieldId = useId()
  const hintId = useId()
  const [text, setText] = useState(details.room.greetingMessage ?? '')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const isSaved = await saveGreeting(roomId, text)
    setBusy(false)
    if (!isSaved) return
    void toast(GREETING_SAVED, 'success')
    reload()
  }
  return (
    <form className="section" noValidate onSubmit={submit}>
      <p className="soft">Odaya girenler bu metni bir kez görür. Boş bırakırsan gösterilmez.</p>
      <div className="field">
        <label className="field-label" htmlFor={fieldId}>
          {GREETING_LABEL}
        </label>
        <textarea
          dir="auto"
          id={fieldId}
          className="field-input field-area"
          rows={5}
          maxLength={MAX_GREETING_LENGTH}
          aria-describedby={hintId}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span id={hintId} className="field-hint">
          {text.length}/{MAX_GREETING_LENGTH} karakter, en fazla {MAX_GREETING_LINES} satır
        </span>
      </div>
      <button type="submit" className="button button--accent" aria-disabled={isBusy}>
        {isBusy && <span className="spinner" />}
        Kaydet
      </button>
    </form>
  )
}
