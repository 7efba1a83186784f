import { type FormEvent, type ReactNode, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import {
  MAX_ROOM_PASSWORD_LENGTH,
  ROOM_PASSWORD_LABEL,
  ROOM_PASSWORD_MISSING,
  VERIFY_PASSWORD_FAILED,
} from '../../../shared/room-access/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { showRefusal } from '../../core/ui/forms/form-errors.ts'
import { errorTexts, inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import '../../core/ui/forms/field.css'

export interface RoomPasswordFormProps {
  roomId: RoomId
  /** Why the form was refused, in Turkish; null at first. */
  error: string | null
}

/** Asks for the password of a room. A right one opens the room's page. */
export function RoomPasswordForm({ roomId, error }: RoomPasswordFormProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    if (isBusy) return
    setBusy(true)
    const password = new FormData(form).get('password')
    const answer = await callApi<'checkRoomPassword'>(`/rooms/${roomId}/check-password`, {
      as: 'user',
      body: { password },
    })
    if (!isFailure(answer)) return browserEnvironment.navigateTo(`/room/${roomId}`)
    setBusy(false)
    showRefusal(form, 'password', failureText(answer, VERIFY_PASSWORD_FAILED))
  }
  return (
    <form method="post" action={`/room/${roomId}`} {...inlineErrors} onSubmit={submit}>
      <PasswordField error={error} />
      <button type="submit" className="button button--accent button--large" aria-disabled={isBusy}>
        {isBusy && <span className="spinner" />}
        Odaya gir
      </button>
    </form>
  )
}

function PasswordField({ error }: { error: string | null }): ReactNode {
  return (
    <div className="field">
      <label className="field-label" htmlFor="room-password">
        {ROOM_PASSWORD_LABEL}
      </label>
      <input
        id="room-password"
        className="field-input"
        name="password"
        type="password"
        required
        {...errorTexts({ missing: ROOM_PASSWORD_MISSING })}
        maxLength={MAX_ROOM_PASSWORD_LENGTH}
        autoComplete="off"
        {...(error !== null && { 'aria-invalid': true, 'aria-describedby': 'room-password-error' })}
      />
      {error !== null && (
        <p id="room-password-error" className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
