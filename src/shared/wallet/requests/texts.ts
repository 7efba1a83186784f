import { TOP_UP_APPROVE_FAILED, TOP_UP_REJECT_FAILED } from '../top-ups/texts.ts'
import { WITHDRAWAL_APPROVE_FAILED, WITHDRAWAL_REJECT_FAILED } from '../withdrawals/texts.ts'
import type { RequestDecision, RequestKind } from './request.ts'

export const REQUESTS_TITLE = 'Talepler'
export const REQUESTS_NOT_LOADED = 'Talepler alınırken bir hata oluştu.'
export const SUMMARY_NOT_LOADED = 'Günlük özet alınırken bir hata oluştu.'
export const REQUESTS_NOT_EXPORTED = 'Talepler dışa aktarılamadı!'
export const NO_REQUESTS_TEXT = 'Bu seçime uyan talep yok.'

export const requestKindLabels: Record<RequestKind, string> = { withdrawal: 'Ödeme', star: 'Yükleme' }

/** The buttons of a pending request. */
export const decisionLabels: Record<RequestDecision, string> = { approved: 'Onayla', rejected: 'Reddet' }

/** The toast after a decision that failed (specification 2, point 8). */
export const decisionFailedTexts: Record<RequestKind, Record<RequestDecision, string>> = {
  withdrawal: { approved: WITHDRAWAL_APPROVE_FAILED, rejected: WITHDRAWAL_REJECT_FAILED },
  star: { approved: TOP_UP_APPROVE_FAILED, rejected: TOP_UP_REJECT_FAILED },
}
