import { toLira } from '../../shared/wallet/ledger.ts'
import { routes } from '../../shared/wallet/ledger-protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'
import { balanceOf } from './queries.ts'

/** `/api/users/balance`: a member's balance. */
export function ledgerRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.balance, ({ actor }) =>
    appContext.reader.snapshot((snapshot) => {
      const { balanceKurus, withdrawableKurus } = balanceOf(snapshot, actor.userId)
      const balance = { balance: toLira(balanceKurus), withdrawable: toLira(withdrawableKurus) }
      return { success: true as const, ...balance, cursor: snapshot.cursor() }
    }),
  )
}
