import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { MuteId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import type { UserRow } from '../accounts/queries.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { applyToSameBrowsers, listFingerprintsToBan } from '../fingerprints/transactions.ts'
import { insertRow, query } from '../schema/query.ts'
import { getMute, isStaffOf, listActiveMutes, listMutesOfFingerprint, toOwnMute } from './queries.ts'

interface MuteRow {
  userId: UserId
  /** null: the whole site. */
  roomId: RoomId | null
  reason: string
  duration: BanDuration
  mutedById: UserId
  /** Epoch milliseconds; null: until it is lifted. */
  endsAt: number | null
  /** The mute that this one repeats for another account from the same browser or address; null for the first. */
  sourceId: MuteId | null
}

const insertMuteRow = insertRow(
  'mute',
  ['userId', 'roomId', 'reason', 'duration', 'mutedById', 'at', 'endsAt', 'sourceId'],
  { liftedAt: null, liftedById: null },
)
const setLifted = query<{ id: MuteId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('mute')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('id', '=', p('id')),
)
const notLifted = query<{ userId: UserId; roomId: RoomId | null }>()((db, p) =>
  db
    .selectFrom('mute')
    .select('id')
    .where('userId', '=', p('userId'))
    .where('roomId', 'is', p('roomId'))
    .where('liftedAt', 'is', null),
)
/** A mute and those that repeat it for other accounts. */
const notLiftedOfSource = query<{ id: MuteId }>()((db, p) =>
  db
    .selectFrom('mute')
    .select(['id', 'userId', 'roomId'])
    .where('liftedAt', 'is', null)
    .where((eb) => eb.or([eb('id', '=', p('id')), eb('sourceId', '=', p('id'))])),
)
const insertFingerprint = insertRow('muteFingerprint', ['hash', 'muteId', 'kind'])

/** Stores a mute and sends it to the muted user and to root admins. An earlier one of the same place ends without an event. */
export function insertMute(tx: Transaction, row: MuteRow): MuteId {
  const { userId, roomId, mutedById } = row
  for (const { id } of tx.all(notLifted, { userId, roomId })) tx.run(setLifted, { id, by: mutedById, now: tx.now })
  const { lastId: id } = tx.run(insertMuteRow, { ...row, at: tx.now })
  tx.emit({ stream: userStream(userId), name: 'ownMuteChanged', payload: { roomId, mute: toOwnMute(row) } })
  const mute = getMute(tx, id)
  if (mute) tx.emit({ stream: rootAdminStream, name: 'userMuted', payload: mute })
  return id
}

/** Mutes the browsers and addresses of a muted user too (model/fingerprints), also for present users of the browsers. */
export function muteFingerprintsOf(tx: Transaction, target: UserRow, muteId: MuteId): void {
  for (const { kind, hash } of listFingerprintsToBan(tx, target)) tx.run(insertFingerprint, { hash, muteId, kind })
  applyToSameBrowsers(tx, target.id)
}

/** Lifts a mute with those that repeat it for other accounts, and sends that to each of them and to root admins. */
export function liftMuteWithCopies(tx: Transaction, sourceId: MuteId, by: UserId): void {
  for (const { id, userId, roomId } of tx.all(notLiftedOfSource, { id: sourceId })) {
    tx.run(setLifted, { id, by, now: tx.now })
    tx.emit({ stream: userStream(userId), name: 'ownMuteChanged', payload: { roomId, mute: null } })
    tx.emit({ stream: rootAdminStream, name: 'muteLifted', payload: { id, userId, roomId } })
  }
}

/** Mutes an account where its browser or address is muted. */
export function extendMutesToAccount(
  tx: Transaction,
  { userId, fingerprint, enteredAt }: { userId: UserId; fingerprint: Fingerprint; enteredAt: number },
): void {
  const own = listActiveMutes(tx, userId, tx.now)
  for (const mute of listMutesOfFingerprint(tx, fingerprint, enteredAt, tx.now)) {
    const { id, roomId, reason, duration, mutedById, endsAt } = mute
    if (own.some((one) => one.roomId === roomId) || isStaffOf(tx, userId, roomId)) continue
    insertMute(tx, { userId, roomId, reason, duration, mutedById, endsAt, sourceId: mute.sourceId ?? id })
    own.push({ ...mute, userId })
  }
}
