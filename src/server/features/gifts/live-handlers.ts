import { randomUUID } from 'node:crypto'
import { NOT_IN_ROOM_TEXT } from '../../../shared/gifts/rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { sendGift } from './send-gift.ts'

/** Gives a gift. The room sees it only if this region finds both of them in it. */
export const handleSendGift: Handler<'sendGift'> = (appContext, connection, input) => {
  const { giftKindId, recipientId, price, roomId, clientId = randomUUID() } = input
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  if (roomId !== undefined && connection.roomId !== roomId) return refuse('NotInRoom', { message: NOT_IN_ROOM_TEXT })
  const isShared = roomId !== undefined && appContext.presence.isIn(roomId, recipientId, viewer)
  const gift = { giftKindId, recipientId, price, roomId: roomId ?? null, isShared }
  return appContext.execute(sendGift, viewer, gift, { clientId })
}
