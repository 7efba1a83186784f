import type { MessageId, RoomId, UserId, WarningId } from '../../../shared/protocol/ids.ts'
import { MAX_OWN_MUTES } from '../../../shared/sanctions/limits.ts'
import type { MessageType, OwnMute, Warning } from '../../../shared/sanctions/protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { listActiveRestrictions, toOwnMute } from '../restrictions/queries.ts'
import { query } from '../schema/query.ts'
import { isStaffOf } from './restrict.ts'

const siteState = query()((db) => db.selectFrom('siteState').select('maintenanceSince'))
const openWarnings = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('warning')
    .select(['id', 'text', 'at'])
    .where('userId', '=', p('userId'))
    .where('confirmedAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .orderBy('id'),
)
/** A warning of a user, open or not. */
export const warningById = query<{ id: WarningId }>()((db, p) =>
  db.selectFrom('warning').selectAll().where('id', '=', p('id')),
)
/** What a removed message had. */
export const removedMessageById = query<{ type: MessageType; messageId: MessageId }>()((db, p) =>
  db.selectFrom('removedMessage').selectAll().where('type', '=', p('type')).where('messageId', '=', p('messageId')),
)
const removedRoomMessage = query<{ id: MessageId }>()((db, p) =>
  db
    .selectFrom('removedMessage')
    .innerJoin('user', 'user.id', 'removedMessage.removedById')
    .leftJoin('roomMedia', 'roomMedia.id', 'removedMessage.mediaId')
    .select(['removedMessage.content', 'roomMedia.mediaType', 'user.username as removedBy', 'removedMessage.removedAt'])
    .where('removedMessage.type', '=', 'roomMessage')
    .where('removedMessage.messageId', '=', p('id')),
)
const removedFileOfPath = (type: MessageType, media: 'roomMedia' | 'directMedia') =>
  query<{ path: string }>()((db, p) =>
    db
      // Both tables have these columns.
      .selectFrom(media as 'roomMedia')
      .innerJoin('removedMessage', 'removedMessage.mediaId', `${media as 'roomMedia'}.id`)
      .select('removedMessage.messageId')
      .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
      .where('removedMessage.type', '=', type)
      .limit(1),
  )
const removedRoomFile = removedFileOfPath('roomMessage', 'roomMedia')
const removedDirectFile = removedFileOfPath('directMessage', 'directMedia')

/** Where a user is muted, as far as the viewer may lift it; no field where that is nowhere. */
export function mutedPlaces(
  reader: Pick<Reader, 'all' | 'get'>,
  viewer: Pick<Actor, 'userId' | 'role'>,
  userId: UserId,
  now: number,
): { mutedIn?: (RoomId | null)[] } {
  const places = listOwnMutes(reader, userId, now).map(({ roomId }) => roomId)
  const mutedIn = places.filter((roomId) => viewer.role === 'rootadmin' || isStaffOf(reader, viewer.userId, roomId))
  return mutedIn.length > 0 ? { mutedIn } : {}
}

/** What a user has to know of their own sanctions when a connection opens; null when there are none. */
export function getOwnSanctions(
  reader: Pick<Reader, 'all'>,
  userId: UserId,
  now: number,
): { warnings: Warning[]; mutes: OwnMute[] } | null {
  const warnings = listOpenWarnings(reader, userId)
  const mutes = listOwnMutes(reader, userId, now).map(toOwnMute)
  return warnings.length + mutes.length === 0 ? null : { warnings, mutes }
}

function listOwnMutes(reader: Pick<Reader, 'all'>, userId: UserId, now: number) {
  const mutes = listActiveRestrictions(reader, userId, now).filter(({ kind }) => kind === 'mute')
  return mutes.slice(0, MAX_OWN_MUTES)
}

/** The warnings that the user has not confirmed, the oldest first; `MAX_OPEN_WARNINGS` at most. */
export function listOpenWarnings(reader: Pick<Reader, 'all'>, userId: UserId): Warning[] {
  return reader.all(openWarnings, { userId })
}

/** What a removed message of a room said and who removed it; undefined when that is not kept any more. */
export function findRemovedRoomMessage(reader: Pick<Reader, 'get'>, id: MessageId) {
  return reader.get(removedRoomMessage, { id })
}

/** Whether the file with this name below `/uploads/` belongs to a removed message whose text is still kept. */
export function isFileOfRemovedMessage(reader: Pick<Reader, 'get'>, path: string): boolean {
  return reader.get(removedRoomFile, { path }) !== undefined || reader.get(removedDirectFile, { path }) !== undefined
}

/** When maintenance began, in epoch milliseconds; null when it is off. */
export function getMaintenanceSince(reader: Pick<Reader, 'get'>): number | null {
  return reader.get(siteState)?.maintenanceSince ?? null
}
