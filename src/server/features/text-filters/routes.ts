import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { routes as alertRoutes } from '../../../shared/text-filters/alerts-protocol.ts'
import { applyFilter } from '../../../shared/text-filters/apply-filter.ts'
import { routes } from '../../../shared/text-filters/protocol.ts'
import { HELD_TEXT_GONE_TEXT } from '../../../shared/text-filters/texts.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import {
  type FilterStateRow,
  filterState,
  heldTextById,
  listFilterEntries,
  listFilterHits,
  listHeldTexts,
  toLinkRuleSetting,
} from '../../model/text-filters/queries.ts'
import { listAlerts } from './alert-queries.ts'
import { changeLinkRule } from './change-link-rule.ts'
import { getFilterMatcher } from './compiled-filter.ts'
import { decideHeldText, readHeldText } from './decide-held-text.ts'
import { addFilterEntries, changeFilterEntry, deleteFilterEntry } from './filter-entries.ts'
import { handleAlert } from './handle-alert.ts'

/** The word filter, the rule of links, waiting texts and alerts under `/api/moderation`, for root admins. */
export function textFilterRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, clock, execute } = appContext
  registerRoute(app, appContext, routes.filterEntries, ({ input }) => ({
    success: true as const,
    ...listFilterEntries(reader, input),
  }))
  registerRoute(app, appContext, routes.addFilterEntries, ({ actor, input, clientId }) =>
    execute(addFilterEntries, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.changeFilterEntry, ({ actor, input, clientId }) =>
    execute(changeFilterEntry, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.deleteFilterEntry, ({ actor, input, clientId }) =>
    execute(deleteFilterEntry, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.testFilter, ({ input: { text } }) => {
    const { hits, ...result } = applyFilter(getFilterMatcher(reader, stateOf(appContext)), text, MAX_MESSAGE_LENGTH)
    const shown = hits.map(({ entry: { pattern, action }, word }) => ({ pattern, action, word }))
    return { success: true as const, ...result, hits: shown }
  })
  registerRoute(app, appContext, routes.linkRule, () => ({
    success: true as const,
    ...toLinkRuleSetting(stateOf(appContext)),
  }))
  registerRoute(app, appContext, routes.changeLinkRule, ({ actor, input, clientId, context }) =>
    execute(changeLinkRule, actor, { ...input, ownHosts: ownHosts(appContext, context) }, { clientId }),
  )
  registerRoute(app, appContext, routes.filterHits, ({ input }) => ({
    success: true as const,
    ...listFilterHits(reader, input.before, clock()),
  }))
  registerRoute(app, appContext, routes.heldTexts, ({ input }) => ({
    success: true as const,
    ...listHeldTexts(reader, input.after, clock()),
  }))
  registerRoute(app, appContext, routes.readHeldText, async ({ actor, input }) => {
    const recorded = await execute(readHeldText, actor, input)
    if (recorded instanceof Refusal) return recorded
    const held = reader.get(heldTextById, input)
    return held ? { success: true as const, text: held.text } : refuse('NotFound', { message: HELD_TEXT_GONE_TEXT })
  })
  registerRoute(app, appContext, routes.decideHeldText, ({ actor, input, clientId }) =>
    execute(decideHeldText, actor, input, { clientId }),
  )
  registerRoute(app, appContext, alertRoutes.alerts, ({ input }) => ({
    success: true as const,
    ...listAlerts(reader, input, clock()),
  }))
  registerRoute(app, appContext, alertRoutes.handleAlert, ({ actor, input, clientId }) =>
    execute(handleAlert, actor, input, { clientId }),
  )
}

function stateOf({ reader }: AppContext): FilterStateRow {
  const state = reader.get(filterState)
  if (!state) throw new Error('the table textFilter has no row')
  return state
}

/** The host of the request, at which root admins use the site, and those of the allowed origins. */
function ownHosts({ config }: AppContext, { env, req }: NodeContext): string[] {
  const origins = [`http://${env.incoming.headers.host ?? ''}`, req.url, ...config.origins]
  const hosts = origins.flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []))
  return [...new Set(hosts)].filter((host) => host !== '').slice(0, 20)
}
