/** What can be reported; server/model/reports/sources has a file for each. */
export const reportKinds = ['directMessage', 'roomMessage', 'post', 'profile', 'call'] as const
export type ReportKind = (typeof reportKinds)[number]

/** Why; `other` is that of a client that gives none. */
export const reportReasons = [
  'insult',
  'spam',
  'sexual',
  'threat',
  'minor',
  'impersonation',
  'illegal',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** What a root admin decides. */
export const decisionKinds = ['nothing', 'warn', 'remove', 'mute', 'ban', 'ghostBan'] as const
export type DecisionKind = (typeof decisionKinds)[number]

/** Decisions that end, and so need a duration. */
export const timedDecisions: readonly DecisionKind[] = ['mute', 'ban', 'ghostBan']

/** How earlier reports of a user were decided: once for each decision. */
export interface ReporterRecord {
  /** Something was done. */
  confirmedCount: number
  /** `nothing` was decided. */
  falseCount: number
}

/** A weight of 1, so that weights are whole numbers in the database. */
export const FULL_WEIGHT = 1_000
/** What a reporter is taken to have done before their first report: one right and one wrong, a guest three wrong. */
const memberPrior = { confirmed: 1, false: 1 }
const guestPrior = { confirmed: 1, false: 3 }

/**
 * How much a report of this user counts, from 0 to 1,000: the mean of a Beta distribution over their decided reports. A new
 * member counts 500, a new guest 250; after ten false reports a member counts 83, after ten confirmed ones 917.
 */
export function reportWeight({ confirmedCount, falseCount }: ReporterRecord, isGuest: boolean): number {
  const prior = isGuest ? guestPrior : memberPrior
  const confirmed = confirmedCount + prior.confirmed
  return Math.round((FULL_WEIGHT * confirmed) / (confirmed + falseCount + prior.false))
}
