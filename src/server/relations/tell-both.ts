import { apart } from '../../shared/text/apart.ts'
import type { UserRow } from '../accounts/queries.ts'
import type { Transaction } from '../database/transact.ts'

const saying = {
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
export function tellBoth(tx: Transaction, name: keyof typeof saying, blocker: UserRow, blocked: UserRow): void {
  const between = {
    blockerUsername: blocker.username,
    blockedUsername: blocked.username,
    blockerId: blocker.id,
    blockedId: blocked.id,
  }
  const said = saying[name]
  const toBlocker = { ...between, message: said.blocker(apart(blocked.username)) }
  const toBlocked = { ...between, message: said.blocked(apart(blocker.username)) }
  tx.emit({ stream: `user:${blocker.id}`, name, payload: toBlocker })
  tx.emit({ stream: `user:${blocked.id}`, name, payload: toBlocked })
}
