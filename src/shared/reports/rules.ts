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
