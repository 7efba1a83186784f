import { formatMention } from '../text/format-mention.ts'

export const SEND_GIFT_LABEL = 'Hediye gönder'
/** Shown to guests in place of the catalogue. */
export const GUEST_GIFT_TEXT = 'Hediye göndermek için üye olmalısın.'

/** Why a gift is refused, in Turkish. */
export const giftRefusals = {
  self: 'Kendine hediye gönderemezsin.',
  guest: 'Misafirlere hediye gönderilemez.',
  notAllowed: 'Bu kişiye hediye gönderemezsin.',
  gone: 'Bu hediye artık yok.',
} as const

/** The sender names a room that they are not in. */
export const NOT_IN_ROOM_TEXT = 'Odada hediye göndermek için önce odaya girmelisin.'

/** The recipient's part of a price in kuruş, rounded down; the rest is income. */
export function giftShareKurus(priceKurus: number, sharePercent: number): number {
  return Math.floor((priceKurus * sharePercent) / 100)
}

/** The line of a gift in a room, whose sender is the giver. */
export function giftMessageText(giftName: string, recipientUsername: string): string {
  return `🎁 Hediye: ${giftName} → ${formatMention(recipientUsername)}`
}

/** Refuses a message that begins like such a line, which would claim a gift that was not given. */
export const GIFT_MESSAGE_REFUSAL = 'Bir mesaj hediye bildirimi gibi başlayamaz.'

/** Characters that do not change how a word looks, or only put a mark on a letter. */
const invisibleInside = /[\p{Default_Ignorable_Code_Point}\p{Mark}]/gu
const startsLikeGiftLine = /^hed[iıI]ye\P{L}*:/iu

/** Whether a text looks like the line of a gift: the picture before the first word. Takes linear time. */
export function isGiftMessageText(text: string): boolean {
  if (!text.includes('🎁')) return false
  const plain = text.normalize('NFKD').replace(invisibleInside, '')
  const firstLetter = plain.search(/\p{L}/u)
  return plain.slice(0, Math.max(firstLetter, 0)).includes('🎁') && startsLikeGiftLine.test(plain.slice(firstLetter))
}
