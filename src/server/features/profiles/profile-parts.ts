import type { ActionKindSpec } from '../../../shared/audit/action-kind.ts'
import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import { allActionKinds } from '../../../shared/audit/all-action-kinds.ts'
import { MAX_PROFILE_ACTIONS } from '../../../shared/audit/limits.ts'
import type { Action } from '../../../shared/audit/protocol.ts'
import { MAX_GIFT_ACTIONS } from '../../../shared/gifts/limits.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { listActionsOfUser } from '../../model/audit/queries.ts'
import { getReceivedGifts, listGiftActions } from '../../model/gifts/queries.ts'
import { listPosts } from '../../model/posts/queries.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import { createdRoomsOf } from '../../model/rooms/queries.ts'

/** Whose profile is read, and what its viewer may see. */
export interface ProfilePartInput {
  user: UserRow
  actor: Actor
  status: ConsolidatedProfile['status']
}

/** The most rooms in one profile. */
const MAX_CREATED_ROOMS = 50

const kindByName: ReadonlyMap<string, ActionKindSpec> = new Map(Object.entries(allActionKinds))

/** What other features add to a profile, in the snapshot of the whole answer. Each list is bounded. */
export function readProfileParts(
  reader: Reader,
  input: ProfilePartInput,
): Pick<ConsolidatedProfile, 'posts' | 'createdRooms' | 'gifts' | 'actions'> {
  const { user, actor, status } = input
  const actions = actor.role === 'rootadmin' ? readActions(reader, user) : []
  return {
    ...(user.isGuest === 0 && status.canViewProfile && { gifts: getReceivedGifts(reader, user.id) }),
    posts: status.canViewProfile ? readPosts(reader, input) : [],
    createdRooms: status.canViewProfile
      ? reader.all(createdRoomsOf, { ownerId: user.id, limit: MAX_CREATED_ROOMS })
      : [],
    ...(actions.length > 0 && { actions }),
  }
}

/** The latest posts; further pages come from `GET /posts/user/{id}`. */
function readPosts(reader: Reader, { user, actor }: ProfilePartInput): ConsolidatedProfile['posts'] {
  const list = { userId: user.id, isArchived: false, sort: 'createdAt_DESC' } as const
  return listPosts(reader, viewerOf(reader, actor), list).posts
}

/** What the user did and what was done to them, with the gifts of a member, the latest first. */
function readActions(reader: Reader, user: UserRow): ActionLogEntry[] {
  const logged = listActionsOfUser(reader, user.id, MAX_PROFILE_ACTIONS).map(toLogEntry)
  const gifts = user.isGuest === 1 ? [] : listGiftActions(reader, user, MAX_GIFT_ACTIONS)
  return [...logged, ...gifts].sort((a, b) => b.timestamp - a.timestamp).slice(0, MAX_PROFILE_ACTIONS)
}

/** An action in the words of specification 1, point 3. What is not known is absent. */
function toLogEntry({ kind, at, actor, target, room, reason, endsAt }: Action): ActionLogEntry {
  const { logType = 'other', label } = kindByName.get(kind) ?? {}
  const fields = {
    label,
    banningUsername: actor?.username,
    targetUsername: target?.username,
    roomName: room?.name,
    reason,
    endsAt,
  }
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return { type: logType, timestamp: at, ...Object.fromEntries(known) }
}
