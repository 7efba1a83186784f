import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import {
  ADMIN_NAME_MISSING,
  ADMIN_NOT_ADDED,
  ADMIN_NOT_REMOVED,
  NO_ADMINS_TEXT,
} from '../../../shared/room-management/texts.ts'
import type { RoomAdmin } from '../../../shared/rooms/protocol.ts'
import { hideRefusals, showRefusal } from '../../core/ui/forms/form-errors.ts'
import { errorTexts, inlineErrors, NOT_BLANK } from '../../core/ui/forms/inline-errors.ts'
import { CloseIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import '../../core/ui/forms/field.css'
import './admins-section.css'
import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'

/** The room's admins, with a form that adds one by name. */
export function AdminsSection({ roomId, details, reload }: RoomManagementSectionProps): ReactNode {
  const { Admins } = details.room
  const field = useRef<HTMLInputElement>(null)
  const remove = async (admin: RoomAdmin): Promise<void> => {
    if (!(await removeRoomAdmin(roomId, admin.id))) return
    reload()
    // The row with the clicked button is gone.
    field.current?.focus()
  }
  return (
    <div className="section">
      <p className="soft">Adminler odayı seninle birlikte yönetir. Admin eklemek ve çıkarmak, odanın sahibine kalır.</p>
      <AddAdminForm field={field} add={(username) => addRoomAdmin(roomId, username)} onAdded={reload} />
      {Admins.length === 0 ? (
        <p className="list-note">{NO_ADMINS_TEXT}</p>
      ) : (
        <ul>
          {Admins.map((admin) => (
            <AdminRow key={admin.id} admin={admin} remove={remove} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface AddAdminFormProps {
  field: RefObject<HTMLInputElement | null>
  /** Returns an error text in Turkish, or null. */
  add: (username: string) => Promise<string | null>
  onAdded: () => void
}

function AddAdminForm({ field, add, onAdded }: AddAdminFormProps): ReactNode {
  const fieldId = useId()
  const { username, isBusy, type, submit } = useAddedAdmin({ field, add, onAdded })
  return (
    <form className="field" {...inlineErrors} onSubmit={submit}>
      <label className="field-label" htmlFor={fieldId}>
        Kullanıcı adı
      </label>
      <div className="row">
        <input
          ref={field}
          id={fieldId}
          name="username"
          className="field-input"
          value={username}
          required
          pattern={NOT_BLANK}
          {...errorTexts({ missing: ADMIN_NAME_MISSING })}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => type(event.target.value)}
        />
        <button type="submit" className="button button--accent" aria-disabled={isBusy}>
          {isBusy && <span className="spinner" />}
          Ekle
        </button>
      </div>
    </form>
  )
}

/** The typed name of a new admin, until it is added. */
function useAddedAdmin({ field, add, onAdded }: AddAdminFormProps) {
  const [username, setUsername] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    if (isBusy) return
    setBusy(true)
    const failure = await add(username.trim())
    setBusy(false)
    hideRefusals(form)
    if (failure !== null) return void showRefusal(form, 'username', failure)
    setUsername('')
    onAdded()
    field.current?.focus()
  }
  return { username, isBusy, type: setUsername, submit }
}

function AdminRow({ admin, remove }: { admin: RoomAdmin; remove: (admin: RoomAdmin) => Promise<void> }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  return (
    <li className="room-admin-row">
      <button type="button" className="row-button grow semibold" data-person={admin.username} aria-haspopup="dialog">
        <Avatar user={{ ...admin, isGuest: false }} size={40} />
        <bdi className="truncate">{admin.username}</bdi>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Adminlikten çıkar: ${admin.username}`}
        title="Adminlikten çıkar"
        aria-disabled={isBusy}
        onClick={async () => {
          if (isBusy) return
          setBusy(true)
          await remove(admin)
          setBusy(false)
        }}
      >
        <CloseIcon size={18} />
      </button>
    </li>
  )
}

/** Makes the user with this name an admin of the room. Returns an error text in Turkish, or null. */
async function addRoomAdmin(roomId: RoomId, username: string): Promise<string | null> {
  const found = await callApi<'userByName'>(`/users/username/${encodeURIComponent(username)}`, { as: 'user' })
  if (found instanceof Refusal && found.body.code === 'NotFound') return USER_NOT_FOUND_TEXT
  if (isFailure(found)) return failureText(found, ADMIN_NOT_ADDED)
  const body = { roomId, userId: found.user.id }
  const added = await callApi<'addRoomAdmin'>('/rooms/add-admin', { as: 'user', body })
  return isFailure(added) ? failureText(added, ADMIN_NOT_ADDED) : null
}

/** Ends the rights of an admin. Returns whether it succeeded; a failure is shown in a toast. */
async function removeRoomAdmin(roomId: RoomId, userId: UserId): Promise<boolean> {
  const answer = await callApi<'removeRoomAdmin'>('/rooms/remove-admin', { as: 'user', body: { roomId, userId } })
  return !toastIfFailed(answer, ADMIN_NOT_REMOVED)
}
