import * as v from 'valibot'
import { Time } from '../../protocol/define.ts'
import { MoneyRequestId, UserId } from '../../protocol/ids.ts'
import { isolateBidi } from '../../text/bidi-isolate.ts'
import { Lira } from '../lira.ts'
import { MAX_PENDING_REQUESTS } from './limits.ts'
import { requestKindLabels } from './texts.ts'

/** Loads of balance ('Yüklemeler') and withdrawals ('Ödemeler'). */
export const requestKinds = ['star', 'withdrawal'] as const
export type RequestKind = (typeof requestKinds)[number]

export const requestStatuses = ['pending', 'approved', 'rejected'] as const
export type RequestStatus = (typeof requestStatuses)[number]
/** How a root admin answers a request. */
export type RequestDecision = Exclude<RequestStatus, 'pending'>

/** Specification 2, point 4, "Star and withdrawal requests". */
export const requestStatusTexts: Record<RequestStatus, string> = {
  pending: 'Bekliyor',
  approved: 'Onaylandı',
  rejected: 'Reddedildi',
}

/** A request as its owner gets it (specification 2, point 3). */
export const MoneyRequest = v.object({
  id: MoneyRequestId,
  amount: Lira,
  status: v.picklist(requestStatuses),
  createdAt: Time,
})
export type MoneyRequest = v.InferOutput<typeof MoneyRequest>

/** What root admins get besides: who asks. */
export const requestSender = { userId: UserId, username: v.string() }

export const TOO_MANY_REQUESTS_TEXT = `En fazla ${MAX_PENDING_REQUESTS} talebin bekleyebilir. Önce yanıtlanmalarını bekle.`

const decisionTexts: Record<RequestDecision, string> = { approved: 'onaylandı', rejected: 'reddedildi' }

/** For the root admin who has decided (specification 2, point 8, "Success texts"). */
export function decidedText(kind: RequestKind, id: MoneyRequestId, decision: RequestDecision): string {
  return `${requestKindLabels[kind]} talebi #${id} ${decisionTexts[decision]}.`
}

/** For a root admin who comes second. @param when a date in Turkish */
export function alreadyDecidedText(
  id: MoneyRequestId,
  { decision, by, when }: { decision: RequestDecision; by: string; when: string },
): string {
  return `Talep #${id} zaten ${decisionTexts[decision]}: ${isolateBidi(by)}, ${when}.`
}
