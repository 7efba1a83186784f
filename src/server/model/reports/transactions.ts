import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_OPEN_REPORTS, MAX_REPORT_NOTE_LINES } from '../../../shared/reports/limits.ts'
import type { ReportKind, ReportReason } from '../../../shared/reports/rules.ts'
import { CANNOT_REPORT_SELF_TEXT } from '../../../shared/reports/texts.ts'
import { limitLines, plainText } from '../../../shared/text/plain-text.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { latestFingerprintHash } from '../fingerprints/queries.ts'
import { insertRow, query } from '../schema/query.ts'
import { refreshGroup } from './groups.ts'
import type { CapturedItem, ReportTargets } from './queries.ts'
import { sourceOf } from './sources/source-of.ts'

/** What somebody reports, and why. */
export type ReportInput<K extends ReportKind> = {
  kind: K
  target: ReportTargets[K]
  reason: ReportReason
  note: string
}

const insertReport = insertRow(
  'report',
  [
    'kind',
    'key',
    'reportedId',
    'reporterId',
    'reason',
    'note',
    'subjectId',
    'roomId',
    'callId',
    'source',
    'isSunk',
    'createdAt',
  ],
  { weight: 0, isOpen: 1, decisionId: null, decidedAt: null },
)
const insertContent = insertRow('reportContent', ['reportId', 'content'])
const insertFile = insertRow('reportFile', ['path', 'reportId'])
/** An open one first. */
const reportOfItem = query<{ reporterId: UserId; kind: ReportKind; key: string }>()((db, p) =>
  db
    .selectFrom('report')
    .select('isOpen')
    .where('reporterId', '=', p('reporterId'))
    .where('kind', '=', p('kind'))
    .where('key', '=', p('key'))
    .orderBy('isOpen', 'desc')
    .limit(1),
)
const openCountOf = query<{ reporterId: UserId }>()((db, p) =>
  db
    .selectFrom('report')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('reporterId', '=', p('reporterId'))
    .where('isOpen', '=', 1),
)

/**
 * Keeps an item that the actor may see, as it is now, for the root admins. An item is reported once by a user; a profile
 * again after the decision, because it changes. Refuses as the item's source does, with Forbidden for one's own, and with
 * TooManyReports.
 */
export function fileReport<K extends ReportKind>(tx: Transaction, actor: Actor, input: ReportInput<K>): Refusal | null {
  const { kind, target } = input
  const reporter = tx.get(userById, { id: actor.userId })
  if (!reporter) return refuse('NotSignedIn')
  const item = sourceOf(kind).capture(tx, actor, target)
  if (item instanceof Refusal) return item
  if (item.reportedId === reporter.id) return refuse('Forbidden', { message: CANNOT_REPORT_SELF_TEXT })
  const reporterId = reporter.id
  const earlier = tx.get(reportOfItem, { reporterId, kind, key: item.key })
  if (earlier && (earlier.isOpen === 1 || kind !== 'profile')) return null
  const openCount = tx.get(openCountOf, { reporterId })?.count ?? 0
  if (openCount >= MAX_OPEN_REPORTS) return refuse('TooManyReports')
  storeReport(tx, reporter, input, item)
  refreshGroup(tx, item.reportedId)
  return null
}

function storeReport<K extends ReportKind>(
  tx: Transaction,
  reporter: UserRow,
  { kind, reason, note }: ReportInput<K>,
  item: CapturedItem<K>,
): void {
  const { lastId: reportId } = tx.run(insertReport, {
    kind,
    key: item.key,
    reportedId: item.reportedId,
    reporterId: reporter.id,
    reason,
    note: limitLines(plainText(note), MAX_REPORT_NOTE_LINES),
    subjectId: item.subjectId ?? null,
    roomId: item.roomId ?? null,
    callId: item.callId ?? null,
    source: sourceFingerprint(tx, reporter),
    isSunk: reporter.isGhost,
    createdAt: tx.now,
  })
  tx.run(insertContent, { reportId, content: JSON.stringify(item.content) })
  for (const path of new Set(item.paths.flatMap(toFileName))) tx.run(insertFile, { reportId, path })
}

/** Names below `/uploads/`. Default pictures are no uploads. */
function toFileName(path: string | null): string[] {
  const prefix = '/uploads/'
  return path?.startsWith(prefix) ? [path.slice(prefix.length)] : []
}

/** Guests of one address, or else of one browser, are one source: a name costs them nothing. A member is one. */
function sourceFingerprint(tx: Transaction, { id, isGuest }: UserRow): string {
  const hash = isGuest === 1 ? latestFingerprintHash(tx, id) : null
  return hash === null ? `user ${id}` : `guest ${hash}`
}
