import type { Person, PublicProfile } from '../../../shared/accounts/protocol.ts'
import { EntryList } from '../../core/shell/entry-list.ts'

/** The known data of the person. */
export type PersonMenuTarget = Person & Partial<Pick<PublicProfile, 'isBanned' | 'mutedIn' | 'status'>>

/** An action on a person. */
export interface PersonMenuEntry {
  /** The entries are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  /** Only hides the entry: the server checks access itself. Absent: always available. */
  isAvailable?(person: PersonMenuTarget): boolean
  run(person: PersonMenuTarget): void
}

/** Those of all features. */
export const personMenuEntries = new EntryList<PersonMenuEntry>()
