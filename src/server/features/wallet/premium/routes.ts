import { routes } from '../../../../shared/wallet/premium-protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { upgradeToPremium } from './upgrade-to-premium.ts'

/** `/api/users/upgrade-to-premium`. */
export function premiumRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.upgradeToPremium, ({ input, actor, clientId }) =>
    appContext.execute(upgradeToPremium, actor, input, { clientId }),
  )
}
