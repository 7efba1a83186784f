import type { ActionDetails } from '../../../shared/audit/action-kind.ts'
import type { ActionKind } from '../../../shared/audit/all-action-kinds.ts'
import { MAX_ACTION_DETAIL_LENGTH, MAX_ACTION_DETAILS, MAX_ACTION_REASON_LENGTH } from '../../../shared/audit/limits.ts'
import type { ActionNameId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { plainText } from '../../../shared/text/plain-text.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { userById } from '../accounts/queries.ts'
import { insertRow, query } from '../schema/query.ts'

/** What an action was about, such as a message or a report; its feature gives the type a name. */
export type SubjectType = string

export interface RecordedAction {
  /** Declared by the feature in `src/shared/<feature>/action-kinds.ts`. */
  kind: ActionKind
  /** null: the server itself. */
  actorId: UserId | null
  targetUserId?: UserId | null
  roomId?: RoomId | null
  subject?: { type: SubjectType; id: number } | null
  reason?: string | null
  /** Epoch milliseconds; null: without an end. */
  endsAt?: number | null
  /** Without names of persons: they would stay when an account is erased. */
  details?: ActionDetails
}

const insertEntry = insertRow('actionEntry', [
  'kind',
  'actorId',
  'actorNameId',
  'targetId',
  'targetNameId',
  'roomId',
  'subjectType',
  'subjectId',
  'reason',
  'endsAt',
  'details',
  'at',
])
const nameOfUser = query<{ userId: UserId; username: string }>()((db, p) =>
  db.selectFrom('actionName').select('id').where('userId', '=', p('userId')).where('username', '=', p('username')),
)
const insertName = insertRow('actionName', ['userId', 'username', 'foldedName'])
const eraseNames = query<{ userId: UserId }>()((db, p) =>
  db
    .updateTable('actionName')
    .set({ username: null, foldedName: null })
    .where('userId', '=', p('userId'))
    .where('username', 'is not', null),
)

/**
 * Appends an entry about what a root admin, a room admin or the server did, in the transaction of the command, so that a
 * retry of the command records nothing. Call it where something changes, not where a command has no effect. The names
 * of the persons are kept as they are now. Reasons and details are kept without characters that turn or hide the text after
 * them, and cut off where they are long.
 */
export function recordAction(tx: Transaction, entry: RecordedAction): void {
  const { kind, actorId, targetUserId: targetId = null, roomId = null, subject = null, reason = null } = entry
  const { lastId: actionId } = tx.run(insertEntry, {
    kind,
    actorId,
    actorNameId: findNameId(tx, actorId),
    targetId,
    targetNameId: findNameId(tx, targetId),
    roomId,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    reason: reason && cutText(plainText(reason), MAX_ACTION_REASON_LENGTH),
    endsAt: entry.endsAt ?? null,
    details: entry.details ? formatDetails(entry.details) : null,
    at: tx.now,
  })
  tx.emit({ stream: rootAdminStream, name: 'actionRecorded', payload: { actionId } })
}

/** Erases the names that a user had; the entries stay. */
export function eraseNamesOf(tx: Transaction, userId: UserId): void {
  tx.run(eraseNames, { userId })
}

function findNameId(tx: Transaction, userId: UserId | null): ActionNameId | null {
  if (userId === null) return null
  const user = tx.get(userById, { id: userId })
  if (!user) throw new Error(`an action names user ${userId}, who does not exist`)
  const { username } = user
  const known = tx.get(nameOfUser, { userId, username })
  return known?.id ?? tx.run(insertName, { userId, username, foldedName: foldName(username) }).lastId
}

function formatDetails(details: ActionDetails): string {
  const entries = Object.entries(details)
  if (entries.length > MAX_ACTION_DETAILS) throw new Error('an action has too many details')
  const cut = entries.map(([name, value]) => [
    name,
    typeof value === 'string' ? cutText(plainText(value), MAX_ACTION_DETAIL_LENGTH) : value,
  ])
  return JSON.stringify(Object.fromEntries(cut))
}

/** The first UTF-16 units of a text, without half a surrogate pair at the end. */
function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
}
