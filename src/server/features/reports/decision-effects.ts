import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import { GHOST_BAN_REASON } from '../../../shared/moderation/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { type DecisionKind, timedDecisions } from '../../../shared/reports/rules.ts'
import {
  DURATION_MISSING_TEXT,
  NOTHING_TO_REMOVE_TEXT,
  WARNING_TEXT_MISSING_TEXT,
} from '../../../shared/reports/texts.ts'
import { MAX_MUTE_REASON_LENGTH } from '../../../shared/sanctions/limits.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { restrict } from '../../model/moderation/restrict.ts'
import { warnUser } from '../../model/moderation/transactions.ts'
import type { ReportRow } from '../../model/reports/queries.ts'
import { sourceOf } from '../../model/reports/sources/source-of.ts'

/** What is decided, with its terms. */
export interface DecisionTerms {
  decision: DecisionKind
  /** Of `mute`, `ban` and `ghostBan`, which are refused without one. */
  duration: BanDuration | null
  banReason: BanReason
  /** To the reported user: a warning, or why they are muted. */
  text: string
}

/** Does what is decided, in the transaction of the decision. Refuses as the applied measure does, or with InvalidInput. */
export function applyDecision(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  reports: readonly ReportRow[],
  { decision, duration, banReason, text }: DecisionTerms,
): Refusal | null {
  if (decision === 'nothing') return null
  if (decision === 'remove') return removeThings(tx, actor, reports)
  if (decision === 'warn') {
    if (text === '') return refuse('InvalidInput', { message: WARNING_TEXT_MISSING_TEXT, path: 'text' })
    return refusalOf(warnUser(tx, actor, target, { text }))
  }
  if (duration === null) return refuse('InvalidInput', { message: DURATION_MISSING_TEXT, path: 'duration' })
  if (decision === 'mute' && text.length > MAX_MUTE_REASON_LENGTH) return refuse('InvalidInput', { path: 'text' })
  const kind = decision === 'ban' ? 'siteBan' : decision
  const reason = { siteBan: banReason, ghostBan: GHOST_BAN_REASON, mute: text }[kind]
  return refusalOf(restrict(tx, actor, target, { kind, roomId: null, duration, reason }))
}

function refusalOf(applied: unknown): Refusal | null {
  return applied instanceof Refusal ? applied : null
}

/** The duration of a decision; null for one that has none. */
export function durationOf({ decision, duration }: DecisionTerms): BanDuration | null {
  return timedDecisions.includes(decision) ? duration : null
}

function removeThings(tx: Transaction, actor: Actor, reports: readonly ReportRow[]): Refusal | null {
  const items = new Map(reports.map((report) => [`${report.kind} ${report.key}`, report]))
  const removed = [...items.values()].filter((report) => sourceOf(report.kind).remove?.(tx, actor, report) === null)
  return removed.length > 0 ? null : refuse('InvalidInput', { message: NOTHING_TO_REMOVE_TEXT, path: 'decision' })
}
