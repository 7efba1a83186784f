import { routes } from '../../../../shared/wallet/options/protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import {
  getBankDetails,
  getPremiumCost,
  listStarOptions,
  listWithdrawalOptions,
} from '../../../model/wallet/options/queries.ts'
import { starOptionCommands, withdrawalOptionCommands } from './amount-option-commands.ts'
import { setBankDetails } from './set-bank-details.ts'
import { setPremiumCost } from './set-premium-cost.ts'

/** Amounts to load and to withdraw, premium's price and the bank account; everyone reads them, root admins edit them. */
export function walletOptionRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  const isActive = ({ status }: { status: string }) => status === 'active'
  registerRoute(app, appContext, routes.availableStarOptions, () => listStarOptions(reader).filter(isActive))
  registerRoute(app, appContext, routes.withdrawalOptions, () => listWithdrawalOptions(reader).filter(isActive))
  registerRoute(app, appContext, routes.premiumCost, () => ({ success: true as const, ...getPremiumCost(reader) }))
  registerRoute(app, appContext, routes.bankDetails, () => ({ success: true as const, bank: getBankDetails(reader) }))
  registerRoute(app, appContext, routes.allStarOptions, () => listStarOptions(reader))
  registerRoute(app, appContext, routes.allWithdrawalOptions, () => listWithdrawalOptions(reader))

  registerRoute(app, appContext, routes.addStarOption, ({ actor, input, clientId }) =>
    execute(starOptionCommands.add, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.updateStarOption, ({ actor, input, clientId }) =>
    execute(starOptionCommands.update, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.deleteStarOption, ({ actor, input, clientId }) =>
    execute(starOptionCommands.remove, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.addWithdrawalOption, ({ actor, input, clientId }) =>
    execute(withdrawalOptionCommands.add, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.updateWithdrawalOption, ({ actor, input, clientId }) =>
    execute(withdrawalOptionCommands.update, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.deleteWithdrawalOption, ({ actor, input, clientId }) =>
    execute(withdrawalOptionCommands.remove, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.setPremiumCost, ({ actor, input, clientId }) =>
    execute(setPremiumCost, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.setBankDetails, ({ actor, input, clientId }) =>
    execute(setBankDetails, actor, input, { clientId }),
  )
}
