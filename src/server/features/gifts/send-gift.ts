import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import { giftMessageText, giftRefusals, giftShareKurus } from '../../../shared/gifts/rules.ts'
import type { GiftId, GiftKindId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { toLira } from '../../../shared/wallet/ledger.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { toUserSummary, type UserRow, userById } from '../../model/accounts/queries.ts'
import { postSystemMessage } from '../../model/conversations/room-transactions.ts'
import { getSharePercent, giftKindById } from '../../model/gifts/queries.ts'
import { addNotification } from '../../model/notifications/transactions.ts'
import { isBlockedBetween } from '../../model/relations/access.ts'
import { findRestriction, getActiveRestriction } from '../../model/restrictions/queries.ts'
import { findWriteRefusal, mayManageRoom } from '../../model/rooms/access.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { insertRow, query } from '../../model/schema/query.ts'
import { refuseChangedPrice, refuseShortBalance, spendBalance } from '../../model/wallet/transactions.ts'

export interface SendGiftInput {
  giftKindId: GiftKindId
  recipientId: UserId
  /** In lira, as the sender was shown it. */
  price?: number | undefined
  /** The room that the sender is in; null when the gift is given elsewhere. */
  roomId: RoomId | null
  /** Whether the recipient is in that room too. */
  isShared: boolean
}

const insertGift = insertRow('gift', [
  'giftKindId',
  'senderId',
  'recipientId',
  'roomId',
  'priceKurus',
  'shareKurus',
  'createdAt',
])
const countGift = query<{ recipientId: UserId; giftKindId: GiftKindId }>()((db, p) =>
  db
    .insertInto('giftTotal')
    .values({ recipientId: p('recipientId'), giftKindId: p('giftKindId'), giftCount: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['recipientId', 'giftKindId'])
        .doUpdateSet((eb) => ({ giftCount: eb('giftTotal.giftCount', '+', 1) })),
    ),
)

/**
 * Gives a gift: its price goes from the sender to the recipient's earned money and to income. Refuses with NotFound,
 * Forbidden, PriceChanged or InsufficientBalance and no change.
 */
export const sendGift = defineCommand({
  name: 'sendGift',
  awaitsReplicaAck: true,
  // The recipient may have moved before a retry.
  retryInput: ['giftKindId', 'recipientId', 'price', 'roomId'],
  run(tx: Transaction, actor: Actor | null, input: SendGiftInput): { success: true; giftId: GiftId } | Refusal {
    const sender = actor ? tx.get(userById, { id: actor.userId }) : undefined
    if (!sender || sender.isGuest === 1) return refuse('Forbidden')
    const recipient = findRecipient(tx, sender, input.recipientId)
    if (recipient instanceof Refusal) return recipient
    const kind = tx.get(giftKindById, { id: input.giftKindId })
    if (kind?.status !== 'active') return refuse('NotFound', { message: giftRefusals.gone })
    const { priceKurus } = kind
    const refusal = refuseChangedPrice(input.price, priceKurus) ?? refuseShortBalance(tx, sender.id, priceKurus)
    if (refusal) return refusal
    const shareKurus = giftShareKurus(priceKurus, getSharePercent(tx))
    const roomId = input.isShared ? input.roomId : null
    const row = { giftKindId: kind.id, senderId: sender.id, recipientId: recipient.id, roomId }
    const { lastId: giftId } = tx.run(insertGift, { ...row, priceKurus, shareKurus, createdAt: tx.now })
    const paid = pay(tx, { giftId, sender, recipient, priceKurus, shareKurus })
    if (paid instanceof Refusal) return paid
    tx.run(countGift, { recipientId: recipient.id, giftKindId: kind.id })
    announce(tx, { giftId, kind, sender, recipient, roomId, shareKurus })
    return { success: true, giftId }
  },
})

/** The member who may receive a gift from the sender, or a refusal. */
function findRecipient(tx: Transaction, sender: UserRow, recipientId: UserId): UserRow | Refusal {
  const recipient = tx.get(userById, { id: recipientId })
  if (!recipient || recipient.nameReleasedAt !== null) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
  if (recipient.id === sender.id) return refuse('Forbidden', { message: giftRefusals.self })
  if (recipient.isGuest === 1) return refuse('Forbidden', { message: giftRefusals.guest })
  const isRefused =
    isBlockedBetween(tx, sender.id, recipientId) ||
    getActiveRestriction(tx, { kind: 'siteBan', userId: recipientId }, tx.now) !== undefined
  return isRefused ? refuse('Forbidden', { message: giftRefusals.notAllowed }) : recipient
}

interface Payment {
  giftId: GiftId
  sender: UserRow
  recipient: UserRow
  priceKurus: number
  shareKurus: number
}

function pay(tx: Transaction, { giftId, sender, recipient, priceKurus, shareKurus }: Payment) {
  const credits = [
    { account: { kind: 'earned', userId: recipient.id }, amountKurus: shareKurus },
    { account: { kind: 'giftIncome' }, amountKurus: priceKurus - shareKurus },
  ] as const
  return spendBalance(tx, sender.id, {
    amountKurus: priceKurus,
    kind: 'gift',
    referenceId: giftId,
    credits: credits.filter(({ amountKurus }) => amountKurus > 0),
  })
}

interface Announcement extends Omit<Payment, 'priceKurus'> {
  kind: { id: GiftKindId; name: string; drawing: string }
  roomId: RoomId | null
}

/** Tells the recipient, and the room if both are in it and the sender may write there. */
function announce(tx: Transaction, { giftId, kind, sender, recipient, roomId, shareKurus }: Announcement): void {
  const gift = {
    id: giftId,
    giftKindId: kind.id,
    name: kind.name,
    drawing: kind.drawing,
    senderId: sender.id,
    senderUsername: sender.username,
    recipientId: recipient.id,
    recipientUsername: recipient.username,
    createdAt: tx.now,
  }
  const actorId = sender.id
  const received = { ...gift, roomId, amount: toLira(shareKurus) }
  tx.emit({ stream: userStream(recipient.id), name: 'giftReceived', payload: received, actorId })
  addNotification(tx, recipient.id, { type: 'gift', senderId: sender.id, content: kind.name, requestId: giftId })
  const room = roomId === null ? undefined : tx.get(roomById, { id: roomId })
  if (room?.isActive !== 1 || findWriteRefusal(tx, toUserSummary(sender, tx.now), room) !== null) return
  // As for a message: the sender's region may not have taken them out of the room yet.
  if (
    findRestriction(tx, { kind: 'roomBan', userId: sender.id, roomId: room.id }, tx.now) &&
    !mayManageRoom(tx, { userId: sender.id, role: sender.role }, room)
  )
    return
  tx.emit({ stream: roomStream(room.id), name: 'giftSent', payload: { ...gift, roomId: room.id }, actorId })
  const content = giftMessageText(kind.name, recipient.username)
  postSystemMessage(tx, sender, { roomId: room.id, content, clientId: lineIdOf(giftId, tx.now) })
}

/**
 * The `clientId` of a gift's line: a UUID (RFC 9562, version 8). With its time, as the giver can know the number of the
 * next gift and send a message under an id that has only that.
 */
function lineIdOf(giftId: GiftId, now: number): string {
  const [time, id] = [now, giftId].map((part) => part.toString(16).padStart(12, '0'))
  return `${time?.slice(0, 8)}-${time?.slice(8)}-8000-8000-${id}`
}
