import type { Person, PublicProfile } from '../../shared/accounts/protocol.ts'
import { roleTexts } from '../../shared/accounts/roles.ts'
import { BAN_LABEL, LIFT_BAN_LABEL } from '../../shared/moderation/rules.ts'
import { BLOCK_LABEL, UNBLOCK_LABEL } from '../../shared/relations/rules.ts'
import { session } from '../accounts/session.ts'
import { isBanned, liftBan } from '../moderation/bans.ts'
import { askToBlock, liftBlock } from '../relations/blocks.ts'
import { openOverlay } from '../shell/open.ts'
import { copyName } from './copy-name.ts'

/** What is known of them. */
export type Known = Person & Partial<Pick<PublicProfile, 'isBanned' | 'status'>>

/** Something that can be done with somebody, in the menu of their profile. */
export interface PersonMenuEntry {
  label: string
  isGrave?: boolean
  /** Whether whoever looks may do it to this person. Only what is shown: the server decides for itself. */
  isFor(person: Known): boolean
  run(person: Known): void
}

/** In the order in which they are shown; a feature adds its own here. */
export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    label: 'Kullanıcı adını kopyala',
    isFor: () => true,
    run: ({ username }) => void copyName(username),
  },
  {
    label: BLOCK_LABEL,
    isGrave: true,
    isFor: (person) => !session.isOf(person.id) && person.status?.hasBlockedProfile === false,
    run: askToBlock,
  },
  {
    label: UNBLOCK_LABEL,
    isFor: (person) => person.status?.hasBlockedProfile === true,
    run: (person) => void liftBlock(person),
  },
  {
    label: BAN_LABEL,
    isGrave: true,
    isFor: (person) => session.isRootAdmin() && person.role !== 'rootadmin' && !isBanned(person),
    run: ({ username }) => void openOverlay('banForm', { username }),
  },
  {
    label: LIFT_BAN_LABEL,
    isFor: (person) => session.isRootAdmin() && isBanned(person),
    run: (person) => void liftBan(person),
  },
  {
    label: roleTexts.promote.menuLabel,
    isFor: (person) => session.isRootAdmin() && person.role === 'member' && !isBanned(person),
    run: ({ username }) => void openOverlay('changeRole', { username, change: 'promote' }),
  },
  {
    label: roleTexts.demote.menuLabel,
    isGrave: true,
    isFor: ({ id, role }) => session.isRootAdmin() && role === 'rootadmin' && !session.isOf(id),
    run: ({ username }) => void openOverlay('changeRole', { username, change: 'demote' }),
  },
]
