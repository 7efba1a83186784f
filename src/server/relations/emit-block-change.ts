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

/** Tells the two whom a block is between, and nobody else. */
export function emitBlockChange(
  tx: Transaction,
  name: keyof typeof blockChangeTexts,
  blocker: UserRow,
  blocked: UserRow,
): void {
  const between = {
    blockerUsername: blocker.username,
    blockedUsername: blocked.username,
    blockerId: blocker.id,
    blockedId: blocked.id,
  }
  const said = blockChangeTexts[name]
  const toBlocker = { ...between, message: said.blocker(isolateBidi(blocked.username)) }
  const toBlocked = { ...between, message: said.blocked(isolateBidi(blocker.username)) }
  tx.emit({ stream: userStream(blocker.id), name, payload: toBlocker })
  tx.emit({ stream: userStream(blocked.id), name, payload: toBlocked })
}
