import { isolateBidi } from '../text/bidi-isolate.ts'
import { MAX_GATHERED_SENDERS } from './limits.ts'
import type { Notification } from './notification.ts'
import { isSiteNotification, type NotificationTab, type SiteNotificationType } from './rules.ts'

/** The tabs of the specification (2, point 2), and ours. */
export const tabTitles: Record<NotificationTab, string> = {
  dmCall: 'Aramalar',
  follow: 'Takip',
  mention: 'Bahsetme',
  withdrawalRequest: 'Ödeme',
  starRequest: 'Yükleme',
  other: 'Diğer',
}

/** The text of an empty tab. */
export const emptyTexts: Record<NotificationTab, string> = {
  dmCall: 'Cevapsız araman yok.',
  follow: 'Bekleyen takip isteğin yok.',
  mention: 'Henüz senden bahseden olmadı.',
  withdrawalRequest: 'Bekleyen ödeme talebi yok.',
  starRequest: 'Bekleyen yükleme talebi yok.',
  other: 'Henüz başka bildirimin yok.',
}

/** The sender of what the site itself tells a user. */
const SITE_NAME = 'Meydan'

export const NOTIFICATIONS_NOT_LOADED = 'Bildirimler alınamadı.'

/** What the senders have done, after their names. */
const actionTexts = {
  follow: 'seni takip etmek istiyor',
  mention: 'senden bahsetti',
  dmCall: 'seni aradı',
  withdrawalRequest: 'ödeme talep etti',
  starRequest: 'yıldız yüklemek istiyor',
  follower: 'seni takip etmeye başladı',
  followAccepted: 'takip isteğini kabul etti',
  like: 'gönderini beğendi',
  comment: 'gönderine yorum yaptı',
  commentMention: 'bir yorumda senden bahsetti',
  gift: 'sana bir hediye gönderdi',
  dm: 'sana mesaj gönderdi',
} satisfies Record<Exclude<Notification['type'], SiteNotificationType>, string>

/** 'Ada', or 'Ada ve 3 kişi daha' when several users did the same; of a notification of the site its name. */
export function sendersText({
  type,
  senderUsername,
  senderCount,
}: Pick<Notification, 'type' | 'senderUsername' | 'senderCount'>): string {
  if (isSiteNotification(type)) return SITE_NAME
  const name = isolateBidi(senderUsername)
  if (senderCount <= 1) return name
  const others = senderCount >= MAX_GATHERED_SENDERS ? `${MAX_GATHERED_SENDERS - 1}+` : String(senderCount - 1)
  return `${name} ve ${others} kişi daha`
}

/** What has happened, after the senders. */
export function actionText({ type, content }: Pick<Notification, 'type' | 'content'>): string {
  if (isSiteNotification(type)) return content
  if (type === 'dmCall' && content === 'video') return 'seni görüntülü aradı'
  if (type === 'gift' && content !== '') return `${actionTexts.gift}: ${content}`
  return actionTexts[type]
}
