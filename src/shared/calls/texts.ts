import type { CallType, DeclineReason, EndReason } from './protocol.ts'

/** The caller's window when the other has declined or is in another call (specification 1, point 2). */
export const CALL_DECLINED_TEXT = 'Aramanız reddedildi.'

/** Why a call was not accepted, as its caller reads it. */
export const declineTexts = {
  declined: CALL_DECLINED_TEXT,
  offline: 'Aradığın kişi şu anda çevrimdışı.',
} as const satisfies Record<DeclineReason, string>

/** Why a call ended. */
export const endTexts = {
  hangUp: 'Arama sona erdi.',
  unanswered: 'Arama cevaplanmadı.',
  answeredElsewhere: 'Arama başka bir cihazında cevaplandı.',
  declinedElsewhere: 'Arama başka bir cihazında reddedildi.',
  connectionLost: 'Bağlantı koptu, arama sona erdi.',
  refused: 'Bu arama artık mümkün değil.',
  regionLost: 'Sunucuyla bağlantı koptu, arama sona erdi.',
  failed: 'Arama kurulamadı. Lütfen tekrar dene.',
} as const satisfies Record<EndReason, string>

/** The window while it rings (specification 1, point 2). */
export const incomingCallTexts = {
  voice: 'Sesli arama geliyor...',
  video: 'Görüntülü arama geliyor...',
} as const satisfies Record<CallType, string>
export const outgoingCallTexts = {
  voice: 'Sesli arıyor...',
  video: 'Görüntülü arıyor...',
} as const satisfies Record<CallType, string>
/** The caller has used up the calls of the last minutes. */
export const TOO_MANY_CALLS_TEXT = 'Kısa sürede çok fazla arama yaptın. Lütfen biraz bekle.'
/** Shown while the name of the other is unknown (specification 1, point 2). */
export const UNKNOWN_CALLER_TEXT = 'USER...'
