import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transact.ts'
import type { UserRow } from '../accounts/queries.ts'

/** Whose profile is read, and what its viewer may see. */
export interface ProfilePartInput {
  user: UserRow
  actor: Actor
  status: ConsolidatedProfile['status']
}

/**
 * The part of a consolidated profile that a feature reads, in the snapshot of the whole answer. Each list is bounded. A
 * feature's `profile-part.ts` exports it as `profilePart`.
 */
export type ProfilePart = (
  reader: Reader,
  input: ProfilePartInput,
) => Partial<Pick<ConsolidatedProfile, 'posts' | 'createdRooms' | 'gifts' | 'actions'>>
