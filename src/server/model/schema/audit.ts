import type { Generated } from 'kysely'
import type { ActionId, ActionNameId, RoomId, UserId } from '../../../shared/protocol/ids.ts'

export interface AuditTables {
  /** Append-only by triggers (migrations, action-log). */
  actionEntry: {
    id: Generated<ActionId>
    kind: string
    /** null: the server itself. */
    actorId: UserId | null
    actorNameId: ActionNameId | null
    targetId: UserId | null
    targetNameId: ActionNameId | null
    roomId: RoomId | null
    subjectType: string | null
    subjectId: number | null
    reason: string | null
    endsAt: number | null
    /** A JSON object. */
    details: string | null
    at: number
  }
  /** Names of persons at the time of entries; null after the account is erased. */
  actionName: { id: Generated<ActionNameId>; userId: UserId; username: string | null; foldedName: string | null }
}
