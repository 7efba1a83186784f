import { blockedText, unblockedText } from '../../shared/relations/rules.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import type { UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'

const blockChangeTexts = {
  userBlocked: {
    blocker: blockedText,
    blocked: (username: string) => `${isolateBidi(username)} sizi engelledi.`,
  },
  userUnblocked: {
    blocker: unblockedText,
    blocked: (username: string) => `${isolateBidi(username)} engelinizi kaldırdı.`,
  },
}

/** Emits the event to the blocker and the blocked user only, each with their own text. */
export function emitBlockChange(
  tx: Transaction,
  name: keyof typeof blockChangeTexts,
  blocker: UserRow,
  blocked: UserRow,
): void {
  const pair = {
    blockerUsername: blocker.username,
    blockedUsername: blocked.username,
    blockerId: blocker.id,
    blockedId: blocked.id,
  }
  const texts = blockChangeTexts[name]
  const toBlocker = { ...pair, message: texts.blocker(blocked.username) }
  const toBlocked = { ...pair, message: texts.blocked(blocker.username) }
  tx.emit({ stream: userStream(blocker.id), name, payload: toBlocker })
  tx.emit({ stream: userStream(blocked.id), name, payload: toBlocked })
}
