import { blockedText, unblockedText } from '../../../shared/relations/rules.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../../model/accounts/queries.ts'

const blockChangeTexts = {
  userBlocked: {
    blocker: blockedText,
    blocked: (username: string) => `${isolateBidi(username)} seni engelledi.`,
  },
  userUnblocked: {
    blocker: unblockedText,
    blocked: (username: string) => `${isolateBidi(username)} engelini kaldırdı.`,
  },
}

/**
 * Emits the event to the blocker and the blocked user only, each with their own text. That of a ghost
 * comes to the ghost alone.
 */
export function emitBlockChange(
  tx: Transaction,
  name: keyof typeof blockChangeTexts,
  blocker: UserRow,
  blocked: UserRow,
): void {
  const actorId = blocker.id
  const toBlocker = { ...pairOf(blocker, blocked), message: blockChangeTexts[name].blocker(blocked.username) }
  tx.emit({ stream: userStream(blocker.id), name, payload: toBlocker, actorId })
  const toBlocked = { ...pairOf(blocker, blocked), message: blockChangeTexts[name].blocked(blocker.username) }
  tx.emit({ stream: userStream(blocked.id), name, payload: toBlocked, actorId })
}

function pairOf(blocker: UserRow, blocked: UserRow) {
  return {
    blockerUsername: blocker.username,
    blockedUsername: blocked.username,
    blockerId: blocker.id,
    blockedId: blocked.id,
  }
}
