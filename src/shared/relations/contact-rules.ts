import type { Role } from '../accounts/protocol.ts'
import { unreachable } from '../protocol/unreachable.ts'
import type { Privacy, PrivacySettings } from '../settings/rules.ts'

/** The ways in which one user contacts another, each with a privacy setting of its own. */
export const CONTACT_CHANNELS = ['message', 'messageImage', 'messageAudio', 'voiceCall', 'videoCall'] as const
export type ContactChannel = (typeof CONTACT_CHANNELS)[number]

/** What decides whether one user may contact another. */
export interface ContactFacts {
  isSelf: boolean
  senderRole: Role
  recipientPrivacy: PrivacySettings
  /** The sender follows the recipient, accepted. */
  senderFollows: boolean
  /** The recipient follows the sender, accepted. */
  recipientFollows: boolean
  /** The sender has blocked the recipient. */
  hasBlocked: boolean
  /** The recipient has blocked the sender. */
  isBlocked: boolean
}

export type ContactRefusal = 'self' | 'hasBlocked' | 'isBlocked' | Exclude<Privacy, 'everyone'>
export type ContactVerdict = 'allowed' | ContactRefusal

/**
 * Whether a user may contact another on a channel (specification 1, point 5). The page explains with
 * it, and the writer decides with it. Root admins pass privacy and blocks.
 */
export function contactVerdict(channel: ContactChannel, facts: ContactFacts): ContactVerdict {
  if (facts.isSelf) return 'self'
  if (facts.senderRole === 'rootadmin') return 'allowed'
  if (facts.hasBlocked) return 'hasBlocked'
  if (facts.isBlocked) return 'isBlocked'
  const privacy = facts.recipientPrivacy[`${channel}Privacy`]
  switch (privacy) {
    case 'everyone':
      return 'allowed'
    case 'nobody':
      return 'nobody'
    case 'followers':
      return facts.senderFollows ? 'allowed' : 'followers'
    case 'following':
      return facts.recipientFollows ? 'allowed' : 'following'
    default:
      return unreachable(privacy)
  }
}

/** What is sent on a channel, in the sentences of a refusal. */
const channelObjects = {
  message: 'mesaj',
  messageImage: 'resim veya video',
  messageAudio: 'ses kaydı',
  voiceCall: 'sesli arama',
  videoCall: 'görüntülü arama',
} as const satisfies Record<ContactChannel, string>

/** How a refusal begins (specification 1, points 2 and 8); pictures and audio have the reason only. */
const channelOpenings = {
  message: 'Mesaj izniniz yok. ',
  messageImage: '',
  messageAudio: '',
  voiceCall: 'Sesli arama yapmak için izniniz yok. ',
  videoCall: 'Video araması yapmak için izniniz yok. ',
} as const satisfies Record<ContactChannel, string>

export const HAS_BLOCKED_TEXT = 'Kullanıcıyı engellediniz'
export const IS_BLOCKED_TEXT = 'Kullanıcı sizi engelledi'
const SELF_MESSAGE_TEXT = 'Kendinize mesaj gönderemezsiniz'
const SELF_CALL_TEXT = 'Kendini arayamazsın'

/** The Turkish sentence of a refusal on a channel. */
export function contactRefusalText(channel: ContactChannel, refusal: ContactRefusal): string {
  const isCall = channel === 'voiceCall' || channel === 'videoCall'
  const object = channelObjects[channel]
  switch (refusal) {
    case 'self':
      return isCall ? SELF_CALL_TEXT : SELF_MESSAGE_TEXT
    case 'hasBlocked':
      return HAS_BLOCKED_TEXT
    case 'isBlocked':
      return IS_BLOCKED_TEXT
    case 'nobody':
      return `${channelOpenings[channel]}Bu kişi hiçkimseden ${object} almak istemiyor.`
    case 'followers':
      return `${channelOpenings[channel]}Bu kişi yalnızca takipçilerinden ${object} almak istiyor.`
    case 'following':
      return `${channelOpenings[channel]}Bu kişi yalnızca takip ettiklerinden ${object} almak istiyor.`
    default:
      return unreachable(refusal)
  }
}
