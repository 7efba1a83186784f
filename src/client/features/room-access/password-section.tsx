import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import {
  MAX_ROOM_PASSWORD_LENGTH,
  MIN_ROOM_PASSWORD_LENGTH,
  REMOVE_PASSWORD_FAILED,
  ROOM_PASSWORD_LABEL,
  ROOM_PASSWORD_MISSING,
  ROOM_PASSWORD_TOO_SHORT,
  SET_PASSWORD_FAILED,
} from '../../../shared/room-access/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { hideRefusals, showRefusal } from '../../core/ui/forms/form-errors.ts'
import { errorTexts, inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import '../../core/ui/forms/field.css'

/** Sets, changes and removes the password of the room. */
export function PasswordSection({ roomId, details: { room }, reload }: RoomManagementSectionProps): ReactNode {
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { isBusy, run } = useRequest(form, () => {
    setPassword('')
    reload()
  })
  const set = (event: FormEvent): void => {
    event.preventDefault()
    const path = `/rooms/${roomId}/set-password`
    const call = () => callApi<'setRoomPassword'>(path, { as: 'user', body: { password } })
    void run(call, SET_PASSWORD_FAILED, 'Oda şifresi kaydedildi.')
  }
  const remove = (): void => {
    const path = `/rooms/${roomId}/remove-password`
    const call = () => callApi<'removeRoomPassword'>(path, { as: 'user', body: {} })
    void run(call, REMOVE_PASSWORD_FAILED, 'Oda şifresi kaldırıldı.')
  }
  return (
    <form ref={form} className="section" {...inlineErrors} onSubmit={set}>
      <p className="soft">
        Odaya yalnızca şifreyi bilenler girebilir. Odadakiler kalır; oda sahibi ve adminler şifresiz girer.
      </p>
      <PasswordField isNew={room.hasPassword} value={password} onChange={setPassword} />
      <button type="submit" className="button button--accent" aria-disabled={isBusy}>
        {room.hasPassword ? 'Şifreyi değiştir' : 'Şifre koy'}
      </button>
      {room.hasPassword && (
        <button type="button" className="button" aria-disabled={isBusy} onClick={remove}>
          Şifreyi kaldır
        </button>
      )}
    </form>
  )
}

/** One request at a time: its refusal is shown at the field, its success in a toast. */
function useRequest(form: RefObject<HTMLFormElement | null>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const run = async (call: () => Promise<object | string>, failed: string, done: string): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const answer = await call()
    setBusy(false)
    if (form.current) hideRefusals(form.current)
    if (isFailure<object | string | Refusal>(answer)) {
      if (form.current) showRefusal(form.current, 'password', failureText(answer, failed))
      return
    }
    void toast(done, 'success')
    onDone()
  }
  return { isBusy, run }
}

interface PasswordFieldProps {
  /** It replaces a password. */
  isNew: boolean
  value: string
  onChange: (value: string) => void
}

function PasswordField({ isNew, value, onChange }: PasswordFieldProps): ReactNode {
  const fieldId = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={fieldId}>
        {isNew ? 'Yeni oda şifresi' : ROOM_PASSWORD_LABEL}
      </label>
      <input
        id={fieldId}
        className="field-input"
        name="password"
        type="password"
        required
        minLength={MIN_ROOM_PASSWORD_LENGTH}
        {...errorTexts({ missing: ROOM_PASSWORD_MISSING, wrong: ROOM_PASSWORD_TOO_SHORT })}
        maxLength={MAX_ROOM_PASSWORD_LENGTH}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
