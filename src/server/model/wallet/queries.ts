import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

export const accountsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('ledgerAccount').select(['id', 'kind', 'balanceKurus']).where('userId', '=', p('userId')),
)

/** A user's money. Only what others gave may be paid out. */
export interface Balance {
  balanceKurus: number
  withdrawableKurus: number
}

/** What a user has; nothing for guests and for members without a movement. */
export function balanceOf(reader: Pick<Reader, 'all'>, userId: UserId): Balance {
  const accounts = reader.all(accountsOfUser, { userId })
  return {
    balanceKurus: accounts.reduce((sum, { balanceKurus }) => sum + balanceKurus, 0),
    withdrawableKurus: accounts.find(({ kind }) => kind === 'earned')?.balanceKurus ?? 0,
  }
}
