import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import type { UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'

const blockChangeTexts = {
  userBlocked: {
    blocker: (name: string) => `${name} engellendi.`,
    blocked: (name: string) => `${name} sizi engelledi.`,
  },
  userUnblocked: {
    blocker: (name: string) => `${name} engeli kaldırıldı.`,
    blocked: (name: string) => `${name} engelinizi kaldırdı.`,
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
  const toBlocker = { ...pair, message: texts.blocker(isolateBidi(blocked.username)) }
  const toBlocked = { ...pair, message: texts.blocked(isolateBidi(blocker.username)) }
  tx.emit({ stream: userStream(blocker.id), name, payload: toBlocker })
  tx.emit({ stream: userStream(blocked.id), name, payload: toBlocked })
}
