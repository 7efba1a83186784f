import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { session } from '../../core/session/session.ts'
import { MailIcon } from '../../core/ui/lazy-icons.tsx'
import { openDirectWindow } from './open-window.ts'

/** The profile's button that opens the conversation with a user. */
export function MessageButton({ person }: { person: Person }): ReactNode {
  if (session.isSelf(person.id)) return null
  return (
    <button type="button" className="button" onClick={() => void openDirectWindow(person)}>
      <MailIcon size={18} />
      Mesaj
    </button>
  )
}
