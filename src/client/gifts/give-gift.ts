import type { GiftKind } from '../../shared/gifts/protocol.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import { isFailure } from '../http/is-failure.ts'
import { live } from '../live/state.ts'
import { toast } from '../shell/toasts/toast.ts'
import { giftKinds } from './gifts.ts'

const NOT_GIVEN_TEXT = 'Hediye gönderilemedi. Bağlantınızı denetleyip tekrar deneyin.'

/** Gives a gift at its shown price and reports the result. `clientId` stays the same until the server has answered. */
export async function giveGift(
  gift: GiftKind,
  recipient: { id: UserId; username: string },
  clientId: string,
): Promise<'given' | 'refused' | 'unknown'> {
  const { id: giftKindId, price, name } = gift
  const roomId = live.roomId
  const answer = await live.request('sendGift', {
    giftKindId,
    recipientId: recipient.id,
    price,
    clientId,
    ...(roomId !== null && { roomId }),
  })
  if (!isFailure(answer)) {
    void toast(`${isolateBidi(recipient.username)} kullanıcısına ${name} gönderildi.`, 'success')
    return 'given'
  }
  if (!(answer instanceof Refusal)) {
    void toast(NOT_GIVEN_TEXT, 'error')
    return 'unknown'
  }
  const { message, price: newPrice } = answer.body
  if (newPrice !== undefined) giftKinds.put({ ...gift, price: newPrice })
  void toast(message, newPrice === undefined ? 'error' : 'warning')
  return 'refused'
}
