import type { GiftKind } from '../../../shared/gifts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { OnceKeys } from '../../core/http/once-keys.ts'
import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { giftKinds } from './gifts.ts'

const NOT_GIVEN_TEXT = 'Hediye gönderilemedi. Bağlantını denetleyip tekrar dene.'

const clientIds = new OnceKeys(browserEnvironment.uuid)

/**
 * Gives a gift at its shown price and reports the result. Returns whether it was given. Clicking again without an answer
 * sends the same `clientId`, so that a gift whose answer was lost is given once.
 */
export async function giveGift(gift: GiftKind, recipient: { id: UserId; username: string }): Promise<boolean> {
  const { id: giftKindId, price, name } = gift
  const { roomId } = live
  // Without the room, which a lost connection leaves.
  const request = JSON.stringify([giftKindId, recipient.id, price])
  const clientId = clientIds.keyOf(request)
  const input = { giftKindId, recipientId: recipient.id, price, ...(roomId !== null && { roomId }), clientId }
  const answer = await live.request('sendGift', input)
  if (typeof answer !== 'string') clientIds.forget(request)
  if (!isFailure(answer)) {
    void toast(`${isolateBidi(recipient.username)} kullanıcısına ${name} gönderildi.`, 'success')
    return true
  }
  const { message, price: newPrice } = answer instanceof Refusal ? answer.body : { message: NOT_GIVEN_TEXT }
  if (newPrice !== undefined) giftKinds.put({ ...gift, price: newPrice })
  void toast(message, newPrice === undefined ? 'error' : 'warning')
  return false
}
