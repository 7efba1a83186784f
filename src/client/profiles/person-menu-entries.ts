import type { Person, PublicProfile } from '../../shared/accounts/protocol.ts'
import { roleTexts } from '../../shared/accounts/role-texts.ts'
import { BAN_LABEL, LIFT_BAN_LABEL } from '../../shared/moderation/rules.ts'
import { BLOCK_LABEL, UNBLOCK_LABEL } from '../../shared/relations/rules.ts'
import { session } from '../accounts/session.ts'
import { isBanned, requestBanLift } from '../moderation/bans.ts'
import { openBlockDialog, requestUnblock } from '../relations/blocks.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { copyUsername } from './copy-username.ts'

/** What is known of them. */
export type PersonMenuTarget = Person & Partial<Pick<PublicProfile, 'isBanned' | 'status'>>

/** Something that can be done with somebody, in the menu of their profile. */
export interface PersonMenuEntry {
  label: string
  isDestructive?: boolean
  /** Whether whoever looks may do it to this person. Only what is shown: the server decides for itself. */
  isAvailableFor(person: PersonMenuTarget): boolean
  run(person: PersonMenuTarget): void
}

/** In the order in which they are shown; a feature adds its own here. */
export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    label: 'Kullanıcı adını kopyala',
    isAvailableFor: () => true,
    run: ({ username }) => void copyUsername(username),
  },
  {
    label: BLOCK_LABEL,
    isDestructive: true,
    isAvailableFor: (person) => !session.isSelf(person.id) && person.status?.hasBlockedProfile === false,
    run: openBlockDialog,
  },
  {
    label: UNBLOCK_LABEL,
    isAvailableFor: (person) => person.status?.hasBlockedProfile === true,
    run: (person) => void requestUnblock(person),
  },
  {
    label: BAN_LABEL,
    isDestructive: true,
    isAvailableFor: (person) => session.isRootAdmin() && person.role !== 'rootadmin' && !isBanned(person),
    run: ({ username }) => void openOverlay('banForm', { username }),
  },
  {
    label: LIFT_BAN_LABEL,
    isAvailableFor: (person) => session.isRootAdmin() && isBanned(person),
    run: (person) => void requestBanLift(person),
  },
  {
    label: roleTexts.promote.menuLabel,
    isAvailableFor: (person) => session.isRootAdmin() && person.role === 'member' && !isBanned(person),
    run: ({ username }) => void openOverlay('changeRoleDialog', { username, change: 'promote' }),
  },
  {
    label: roleTexts.demote.menuLabel,
    isDestructive: true,
    isAvailableFor: ({ id, role }) => session.isRootAdmin() && role === 'rootadmin' && !session.isSelf(id),
    run: ({ username }) => void openOverlay('changeRoleDialog', { username, change: 'demote' }),
  },
]
