import type { MediaType } from '../media/media.ts'
import { messageQuote } from '../room-chat/quotes.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'
import { turkishDateFormat } from '../text/turkish-date-format.ts'
import { MAX_PREVIEW_LENGTH } from './limits.ts'

/** Texts of specification 1, points 2, 5 and 8. */
export const NO_CONVERSATIONS_TEXT = 'Henüz bir mesajın yok!'
export const CONVERSATIONS_NOT_LOADED = 'DM kullanıcılarını yüklerken hata oluştu.'
export const CONVERSATION_HIDDEN = 'Konuşma başarıyla gizlendi.'
export const CONVERSATION_NOT_HIDDEN = 'Konuşma gizlenirken bir hata oluştu.'
export const CONVERSATION_DELETED = 'Konuşma silindi.'
export const CONVERSATION_NOT_DELETED = 'Konuşma silinirken bir hata oluştu.'
/** Why a stranger's pictures and videos are hidden (DM-18). */
export const STRANGER_MEDIA_TEXT = 'Bu kişiyle henüz yazışmadın.'
export const DIRECT_MEDIA_NOT_ALLOWED = 'Şu anda gösterilemiyor. Birazdan tekrar dene.'

/** Shown when a conversation ends while its window is open: a guest has left, or it was deleted on another device. */
export function conversationEndedText(username: string): string {
  return `${isolateBidi(username)} ile konuşma sona erdi.`
}

/** The channel whose permission a file needs (specification 1, point 5). */
export const channelOfMedia = { image: 'messageImage', video: 'messageImage', audio: 'messageAudio' } as const

/** The last message in the list: its first 30 characters and an ellipsis (specification 1, point 2). */
export function conversationPreview(content: string, mediaType: MediaType | null): string {
  return messageQuote(content, mediaType, MAX_PREVIEW_LENGTH)
}

const DAY_MS = 24 * 60 * 60_000

/** The time of a conversation: hours and minutes, or date and time when it is older than a day (specification 1, point 2). */
export function conversationTime(createdAt: number, now: number, timeZone?: string): string {
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const date = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  const format = now - createdAt > DAY_MS ? { ...date, ...time } : time
  return turkishDateFormat({ ...format, ...(timeZone && { timeZone }) }).format(createdAt)
}
