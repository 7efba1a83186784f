import { randomUUID } from 'node:crypto'
import { routes } from '../../../shared/gifts/protocol.ts'
import { NOT_IN_ROOM_TEXT } from '../../../shared/gifts/rules.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import type { Handler } from '../../kernel/live/handler.ts'
import { getSharePercent, listGiftKinds } from '../../model/gifts/queries.ts'
import { sendGift } from './send-gift.ts'
import { setGiftShare } from './set-gift-share.ts'
import { updateGiftKind } from './update-gift-kind.ts'

/** Gives a gift. The room sees it only if this region finds both of them in it. */
const handleSendGift: Handler<'sendGift'> = (appContext, connection, input) => {
  const { giftKindId, recipientId, price, roomId, clientId = randomUUID() } = input
  const viewer = connection.identity?.viewer
  if (!viewer) return refuse('NotSignedIn')
  if (roomId !== undefined && connection.roomId !== roomId) return refuse('NotInRoom', { message: NOT_IN_ROOM_TEXT })
  const isShared = roomId !== undefined && appContext.presence.isIn(roomId, recipientId, viewer)
  const gift = { giftKindId, recipientId, price, roomId: roomId ?? null, isShared }
  return appContext.execute(sendGift, viewer, gift, { clientId })
}

/** Gifts from one member to another. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return { handlers: { sendGift: handleSendGift }, registerRoutes: (app) => giftRoutes(app, appContext) }
}

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
