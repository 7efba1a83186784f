import { routes } from '../../../shared/gifts/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { getSharePercent, listGiftKinds } from '../../model/gifts/queries.ts'
import { setGiftShare } from './set-gift-share.ts'
import { updateGiftKind } from './update-gift-kind.ts'

/** The catalogue of gifts; everyone reads it, root admins edit it. */
export function giftRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute, reader } = appContext
  registerRoute(app, appContext, routes.gifts, () => listGiftKinds(reader).filter(({ status }) => status === 'active'))
  registerRoute(app, appContext, routes.allGifts, () => listGiftKinds(reader))
  registerRoute(app, appContext, routes.giftShare, () => ({
    success: true as const,
    sharePercent: getSharePercent(reader),
  }))
  registerRoute(app, appContext, routes.updateGift, ({ actor, input, clientId }) =>
    execute(updateGiftKind, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.setGiftShare, ({ actor, input, clientId }) =>
    execute(setGiftShare, actor, input, { clientId }),
  )
}
