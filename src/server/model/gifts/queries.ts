import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import type { GiftKind, ProfileGifts } from '../../../shared/gifts/protocol.ts'
import type { GiftKindId, UserId } from '../../../shared/protocol/ids.ts'
import { toLira } from '../../../shared/wallet/ledger.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

export const giftKindById = query<{ id: GiftKindId }>()((db, p) =>
  db.selectFrom('giftKind').selectAll().where('id', '=', p('id')),
)
const giftKinds = query()((db) => db.selectFrom('giftKind').selectAll().orderBy('priceKurus').orderBy('id'))
const giftTerms = query()((db) => db.selectFrom('giftTerms').select('sharePercent'))

const receivedGifts = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('giftTotal')
    .innerJoin('giftKind', 'giftKind.id', 'giftTotal.giftKindId')
    .select(['giftKind.id', 'giftKind.name', 'giftKind.drawing', 'giftTotal.giftCount as count'])
    .where('giftTotal.recipientId', '=', p('userId'))
    .orderBy('giftKind.priceKurus', 'desc')
    .orderBy('giftKind.id'),
)
const latestReceived = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('gift')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('recipientId', '=', p('userId')),
)
const latestGiftsOf = (side: 'senderId' | 'recipientId', otherSide: 'senderId' | 'recipientId') =>
  query<{ userId: UserId; limit: number }>()((db, p) =>
    db
      .selectFrom('gift')
      .innerJoin('giftKind', 'giftKind.id', 'gift.giftKindId')
      .innerJoin('user as other', 'other.id', `gift.${otherSide}`)
      .leftJoin('room', 'room.id', 'gift.roomId')
      .select([
        'gift.createdAt',
        'gift.priceKurus',
        'giftKind.name as giftName',
        'other.username',
        'room.name as roomName',
      ])
      .where(`gift.${side}`, '=', p('userId'))
      .orderBy('gift.id', 'desc')
      .limit(p('limit')),
  )
const latestGiftsSent = latestGiftsOf('senderId', 'recipientId')
const latestGiftsReceived = latestGiftsOf('recipientId', 'senderId')

/** The catalogue with inactive gifts, the cheapest first. */
export function listGiftKinds(reader: Pick<Reader, 'all'>): GiftKind[] {
  return reader.all(giftKinds).map(toGiftKind)
}

/** A gift of the catalogue as clients get it. */
export function toGiftKind({ priceKurus, ...row }: Omit<GiftKind, 'price'> & { priceKurus: number }): GiftKind {
  return { ...row, price: toLira(priceKurus) }
}

/** The recipients' part of a price, in percent. */
export function getSharePercent(reader: Pick<Reader, 'get'>): number {
  const terms = reader.get(giftTerms)
  if (!terms) throw new Error('the row of giftTerms is missing')
  return terms.sharePercent
}

/** How many gifts of each kind a user has received, the dearest kind first. */
export function getReceivedGifts(reader: Pick<Reader, 'all' | 'get'>, userId: UserId): ProfileGifts {
  return { received: reader.all(receivedGifts, { userId }), latestId: reader.get(latestReceived, { userId })?.id ?? 0 }
}

/** The latest gifts that a user has given and received, as the action log shows them. */
export function listGiftActions(
  reader: Pick<Reader, 'all'>,
  user: { id: UserId; username: string },
  limit: number,
): ActionLogEntry[] {
  const userId = user.id
  const sent = reader.all(latestGiftsSent, { userId, limit }).map(({ username, ...gift }) => ({
    type: 'send_gift' as const,
    senderUsername: user.username,
    recipientUsername: username,
    ...giftFields(gift),
  }))
  const received = reader.all(latestGiftsReceived, { userId, limit }).map(({ username, ...gift }) => ({
    type: 'receive_gift' as const,
    senderUsername: username,
    recipientUsername: user.username,
    ...giftFields(gift),
  }))
  return [...sent, ...received].sort((a, b) => b.timestamp - a.timestamp).slice(0, limit)
}

function giftFields(gift: { giftName: string; priceKurus: number; createdAt: number; roomName: string | null }) {
  const { giftName, priceKurus, createdAt: timestamp, roomName } = gift
  return { giftName, giftCost: toLira(priceKurus), timestamp, ...(roomName !== null && { roomName }) }
}
