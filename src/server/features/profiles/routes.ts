import * as v from 'valibot'
import { routes as accountRoutes, type BlockStatus, type PublicProfile } from '../../../shared/accounts/protocol.ts'
import { picturePath } from '../../../shared/media/rules.ts'
import {
  type ConsolidatedProfile,
  routes as consolidatedRoutes,
} from '../../../shared/profiles/consolidated-protocol.ts'
import { type OwnAccount, routes } from '../../../shared/profiles/protocol.ts'
import { type ClearableField, isProfileFieldError, parseProfile, profileTexts } from '../../../shared/profiles/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { FOLLOWS_IN_PROFILE } from '../../../shared/relations/follow-rules.ts'
import { PrivacyChanges } from '../../../shared/settings/rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { InputOf } from '../../kernel/database/commands/define-command.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Claims } from '../../kernel/database/transaction.ts'
import { authentication } from '../../kernel/http/authentication.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { type RouteCall, registerRoute } from '../../kernel/http/route.ts'
import type { PasswordVerifier } from '../../model/accounts/passwords.ts'
import { findUserByName, toPerson, toProfileDetails, type UserRow, userById } from '../../model/accounts/queries.ts'
import { mutedPlaces } from '../../model/moderation/queries.ts'
import { readViewStatus } from '../../model/profiles/access.ts'
import { blockStatus, followCounts, listFollows, NO_FOLLOW_COUNTS } from '../../model/relations/queries.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { privacyOf } from '../../model/settings/queries.ts'
import { readProfileParts } from './profile-parts.ts'
import { updateProfile } from './update-profile.ts'

type Update = InputOf<typeof updateProfile>

type Call = RouteCall<typeof routes.updateProfile>

/** Edge lengths of an avatar: for lists, and for a profile. Both cover screens with two device pixels per CSS pixel. */
const AVATAR_SIZES_PX = [192, 640] as const

const NO_AVATAR = { avatarUrl: null, largeAvatarUrl: null }

/** `/api/users`: the actor's own account and its update, and the profiles of users by name. */
export function profileRoutes(app: NodeApp, appContext: AppContext, passwords: PasswordVerifier): void {
  registerRoute(app, appContext, routes.account, ({ actor }) => {
    const user = getOwnAccount(appContext, actor.userId)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  const update = createProfileUpdater(appContext, passwords)
  registerRoute(app, appContext, routes.updateProfile, async (call) => {
    const updated = await update(call)
    if (updated instanceof Refusal) return updated
    const user = getOwnAccount(appContext, call.actor.userId)
    if (user instanceof Refusal) return user
    const answer = { success: true as const, message: profileTexts.updated, user }
    if (!updated.claims) return answer
    const token = await appContext.service(authentication).signInAgain(call.context, updated.claims)
    return token instanceof Refusal ? token : { ...answer, token }
  })
  registerRoute(app, appContext, accountRoutes.userByName, ({ input, actor }) => {
    const user = readProfileByName(appContext, actor, input.name)
    return user instanceof Refusal ? user : { success: true as const, user }
  })
  registerRoute(app, appContext, consolidatedRoutes.consolidatedProfile, ({ input, actor }) =>
    readConsolidatedProfile(appContext, actor, input.name, { guestsOnly: false }),
  )
  registerRoute(app, appContext, consolidatedRoutes.consolidatedGuestProfile, ({ input, actor }) =>
    readConsolidatedProfile(appContext, actor, input.name, { guestsOnly: true }),
  )
}

function getOwnAccount(appContext: AppContext, userId: UserId): OwnAccount | Refusal {
  const row = appContext.reader.get(userById, { id: userId })
  if (!row) return refuse('SessionEnded')
  const person = toPerson(row, appContext.presence.isConnected(row.id), appContext.clock())
  return { ...person, ...toProfileDetails(row), ...privacyOf(row) }
}

/** Hashes the password and stores the avatar first, then updates the row in one command: an invalid field changes nothing. */
function createProfileUpdater(appContext: AppContext, passwords: PasswordVerifier) {
  return async (call: Call): Promise<Refusal | { success: true; claims?: Claims }> => {
    const { actor, input, files } = call
    const parsed = parseProfile(input)
    if (isProfileFieldError(parsed)) return refuse('InvalidInput', parsed)
    const { password, ...columns } = parsed
    const hashes = password && (await preparePasswordChange(passwords, call, password))
    if (hashes instanceof Refusal) return hashes
    const avatar = files.get('avatar')
    const avatarColumns = avatar && (await storeAvatar(appContext, avatar))
    if (avatarColumns instanceof Refusal) return avatarColumns
    const updated = await appContext.execute(updateProfile, actor, {
      columns: { ...clearedColumns(input.clear), ...columns, ...avatarColumns },
      ...(hashes && { password: hashes }),
      privacy: v.parse(PrivacyChanges, input),
    })
    if (hashes && !(updated instanceof Refusal)) passwords.rememberDevice(actor, call.context)
    return updated
  }
}

async function preparePasswordChange(
  passwords: PasswordVerifier,
  { actor, context }: Call,
  { current, next }: { current: string; next: string },
): Promise<Update['password'] | Refusal> {
  const verifiedHash = await passwords.verify(actor, current, context)
  if (verifiedHash instanceof Refusal) return verifiedHash
  const newHash = await passwords.hash(actor, next, context)
  return newHash instanceof Refusal ? newHash : { verifiedHash, newHash }
}

/** Decodes the picture, crops it and stores it in both sizes. Refuses when it cannot be decoded or stored. */
async function storeAvatar({ pictures, files }: AppContext, avatar: Uint8Array): Promise<Update['columns'] | Refusal> {
  const squares = await pictures.cropToSquares(avatar, AVATAR_SIZES_PX)
  if (squares instanceof Refusal) return squares
  const paths: string[] = []
  for (const square of squares) {
    const stored = await files.put(square)
    if (stored instanceof Refusal) return stored
    paths.push(picturePath(stored.hash))
  }
  const [avatarUrl = null, largeAvatarUrl = null] = paths
  return { avatarUrl, largeAvatarUrl }
}

/** The columns that `clear`, a comma-separated list, sets to null. */
function clearedColumns(clear: string | undefined): Update['columns'] {
  const columns = { bio: { bio: null }, city: { city: null }, age: { age: null }, avatar: NO_AVATAR } as const
  const names = (clear ? clear.split(',') : []) as ClearableField[] // the schema has checked the names
  return Object.assign({}, ...names.map((name) => columns[name]))
}

/** The profile of the user with this name; refuses with NotFound. */
function readProfileByName(appContext: AppContext, actor: Actor, name: string): PublicProfile | Refusal {
  return appContext.reader.snapshot((reader) => {
    const user = findUserByName(reader, name)
    if (!user) return refuse('NotFound')
    const status = blockStatus(reader, actor.userId, user.id)
    return { ...readProfile(appContext, reader, { actor, user, status }), status }
  })
}

/** The profile with all parts that the actor may see, from one snapshot; refuses with NotFound. */
function readConsolidatedProfile(
  appContext: AppContext,
  actor: Actor,
  name: string,
  { guestsOnly }: { guestsOnly: boolean },
): ConsolidatedProfile | Refusal {
  return appContext.reader.snapshot((reader) => {
    const user = findUserByName(reader, name)
    if (!user || (guestsOnly && user.isGuest === 0)) return refuse('NotFound')
    const status = readViewStatus(reader, actor, user)
    const isHidden = isHiddenByBlock(actor, status)
    const list = (side: 'followers' | 'following') =>
      status.canViewProfile ? listFollows(reader, actor, { side, userId: user.id, size: FOLLOWS_IN_PROFILE }).users : []
    return {
      success: true,
      profile: readProfile(appContext, reader, { actor, user, status }),
      status,
      stats: isHidden ? NO_FOLLOW_COUNTS : followCounts(reader, actor, user.id),
      followers: list('followers'),
      following: list('following'),
      ...readProfileParts(reader, { user, actor, status }),
    }
  })
}

/** What the actor may see of a user: with a block in either direction, only the summary. Root admins see everything. */
function readProfile(
  { presence, clock }: AppContext,
  reader: Reader,
  { actor, user, status }: { actor: Actor; user: UserRow; status: BlockStatus },
): ConsolidatedProfile['profile'] {
  const now = clock()
  const onlineMs = presence.onlineMs(user.id, actor)
  const person = toPerson(user, onlineMs !== null, now)
  if (isHiddenByBlock(actor, status)) return person
  const connectedAt = onlineMs === null ? null : Math.round(now - onlineMs)
  return {
    ...person,
    ...toProfileDetails(user),
    ...privacyOf(user),
    connectedAt,
    lastActive: user.lastSeenAt,
    ...(actor.role === 'rootadmin' && {
      isBanned: getActiveRestriction(reader, { kind: 'siteBan', userId: user.id }, now) !== undefined,
    }),
    ...(actor.role === 'rootadmin' && user.isGhost === 1 && { isGhost: true as const }),
    ...mutedPlaces(reader, actor, user.id, now),
  }
}

function isHiddenByBlock(actor: Actor, { hasBlockedProfile, isBlockedByProfile }: BlockStatus): boolean {
  return actor.role !== 'rootadmin' && (hasBlockedProfile || isBlockedByProfile)
}
