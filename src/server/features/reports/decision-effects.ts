import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { BanId, MuteId, ReportId, WarningId } from '../../../shared/protocol/ids.ts'
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
import { listActiveBansOfUser } from '../../model/moderation/queries.ts'
import { applyGhostBan, applySiteBan, undoBan } from '../../model/moderation/transactions.ts'
import { type ReportRow, reportById } from '../../model/reports/queries.ts'
import { sourceOf } from '../../model/reports/sources/source-of.ts'
import { listActiveMutes } from '../../model/sanctions/queries.ts'
import { muteUser, undoMute, warnUser, withdrawWarning } from '../../model/sanctions/transactions.ts'
import { findContent } from './list-reports.ts'

/** What is decided, with its terms. */
export interface DecisionTerms {
  decision: DecisionKind
  /** Of `mute`, `ban` and `ghostBan`, which are refused without one. */
  duration: BanDuration | null
  banReason: BanReason
  /** To the reported user: a warning, or why they are muted. */
  text: string
}

/** What a decision has done, for undoing it. */
export interface DecisionEffects {
  banId?: BanId
  /** The ban of the same kind that this one has replaced. */
  replacedBanId?: BanId
  muteId?: MuteId
  /** The mute on the site that this one has replaced. */
  replacedMuteId?: MuteId
  warningId?: WarningId
  /** One report of each item that this decision has removed. */
  removedReportIds?: ReportId[]
}

/** Does what is decided, in the transaction of the decision. Refuses as the applied measure does, or with InvalidInput. */
export function applyDecision(
  tx: Transaction,
  actor: Actor,
  target: UserRow,
  reports: readonly ReportRow[],
  { decision, duration, banReason, text }: DecisionTerms,
): DecisionEffects | Refusal {
  if (decision === 'nothing') return {}
  if (decision === 'remove') return removeThings(tx, actor, reports)
  if (decision === 'warn') {
    if (text === '') return refuse('InvalidInput', { message: WARNING_TEXT_MISSING_TEXT, path: 'text' })
    const warningId = warnUser(tx, actor, target, { text })
    return warningId instanceof Refusal ? warningId : { warningId }
  }
  if (duration === null) return refuse('InvalidInput', { message: DURATION_MISSING_TEXT, path: 'duration' })
  if (decision === 'mute') {
    if (text.length > MAX_MUTE_REASON_LENGTH) return refuse('InvalidInput', { path: 'text' })
    const replaced = listActiveMutes(tx, target.id, tx.now).find(({ roomId }) => roomId === null)
    const muteId = muteUser(tx, actor, target, { roomId: null, duration, reason: text })
    return muteId instanceof Refusal ? muteId : { muteId, ...(replaced && { replacedMuteId: replaced.id }) }
  }
  const kind = decision === 'ban' ? 'site' : 'ghost'
  const replaced = listActiveBansOfUser(tx, target.id, tx.now).findLast((earlier) => earlier.kind === kind)
  const ban =
    decision === 'ban'
      ? applySiteBan(tx, actor, target, { duration, banReason })
      : applyGhostBan(tx, actor, target, { duration })
  return ban instanceof Refusal ? ban : { banId: ban.id, ...(replaced && { replacedBanId: replaced.id }) }
}

/** The duration of a decision; null for one that has none. */
export function durationOf({ decision, duration }: DecisionTerms): BanDuration | null {
  return timedDecisions.includes(decision) ? duration : null
}

/**
 * Takes back what can be taken back: a ban or mute that is still the one of this decision, for that which it replaced, a
 * warning that is not confirmed, and items that were removed and are still kept.
 */
export function undoEffects(
  tx: Transaction,
  actor: Actor,
  { banId, replacedBanId, muteId, replacedMuteId, warningId, removedReportIds = [] }: DecisionEffects,
): void {
  if (banId !== undefined) undoBan(tx, actor, banId, replacedBanId)
  if (muteId !== undefined) undoMute(tx, actor, muteId, replacedMuteId)
  if (warningId !== undefined) withdrawWarning(tx, actor, warningId)
  for (const id of removedReportIds) {
    const report = tx.get(reportById, { id })
    // What is not kept any more stays away.
    if (report) sourceOf(report.kind).restore?.(tx, actor, report, findContent(tx, id))
  }
}

function removeThings(tx: Transaction, actor: Actor, reports: readonly ReportRow[]): DecisionEffects | Refusal {
  const items = new Map(reports.map((report) => [`${report.kind} ${report.key}`, report]))
  const removedReportIds: ReportId[] = []
  for (const report of items.values()) {
    const { remove } = sourceOf(report.kind)
    if (remove && remove(tx, actor, report) === null) removedReportIds.push(report.id)
  }
  if (removedReportIds.length === 0)
    return refuse('InvalidInput', { message: NOTHING_TO_REMOVE_TEXT, path: 'decision' })
  return { removedReportIds }
}
