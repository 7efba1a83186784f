import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import { routes } from '../../../../shared/wallet/ledger-protocol.ts'
import { STATEMENT_ROWS_PER_PAGE } from '../../../../shared/wallet/limits.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { balanceOf } from '../../../model/wallet/queries.ts'
import { exportStatement, listStatement } from './statement.ts'

/** `/api/users/balance`: a member's balance and its movements. */
export function ledgerRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.balance, ({ actor }) =>
    appContext.reader.snapshot((snapshot) => {
      const { balanceKurus, withdrawableKurus } = balanceOf(snapshot, actor.userId)
      const balance = { balance: toLira(balanceKurus), withdrawable: toLira(withdrawableKurus) }
      return { success: true as const, ...balance, cursor: snapshot.cursor() }
    }),
  )
  registerRoute(app, appContext, routes.statement, ({ input: { before = null }, actor }) =>
    appContext.reader.snapshot((snapshot) => ({
      success: true as const,
      ...listStatement(snapshot, actor.userId, { before, limit: STATEMENT_ROWS_PER_PAGE }),
      cursor: snapshot.cursor(),
    })),
  )
  registerRoute(app, appContext, routes.exportStatement, async ({ input: { before = null }, actor }) => {
    const part = await appContext.readInWorker(exportStatement, { userId: actor.userId, before })
    return part instanceof Refusal ? part : { success: true as const, ...part }
  })
}
