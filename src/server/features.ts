import { commands } from '../shared/protocol/catalogue.ts'
import { mergeDistinct } from '../shared/protocol/merge-distinct.ts'
import { createFeature as accounts } from './features/accounts/feature.ts'
import { createFeature as announcements } from './features/announcements/feature.ts'
import { createFeature as audit } from './features/audit/feature.ts'
import { createFeature as calls } from './features/calls/feature.ts'
import { createFeature as directMessages } from './features/direct-messages/feature.ts'
import { createFeature as diskSpace } from './features/disk-space/feature.ts'
import { createFeature as accountMarks } from './features/fingerprints/feature.ts'
import { createFeature as gifts } from './features/gifts/feature.ts'
import { createFeature as legal } from './features/legal/feature.ts'
import { createFeature as media } from './features/media/feature.ts'
import { createFeature as messageSearch } from './features/message-search/feature.ts'
import { createFeature as moderation } from './features/moderation/feature.ts'
import { createFeature as nameSkeletons } from './features/name-skeletons/feature.ts'
import { createFeature as notifications } from './features/notifications/feature.ts'
import { createFeature as posts } from './features/posts/feature.ts'
import { createFeature as presence } from './features/presence/feature.ts'
import { createFeature as profiles } from './features/profiles/feature.ts'
import { createFeature as relations } from './features/relations/feature.ts'
import { createFeature as reports } from './features/reports/feature.ts'
import { createFeature as roomAccess } from './features/room-access/feature.ts'
import { createFeature as roomChat } from './features/room-chat/feature.ts'
import { createFeature as roomManagement } from './features/room-management/feature.ts'
import { createFeature as roomOrders } from './features/room-orders/feature.ts'
import { createFeature as rooms } from './features/rooms/feature.ts'
import { createFeature as sanctions } from './features/sanctions/feature.ts'
import { createFeature as sharing } from './features/sharing/feature.ts'
import { createFeature as siteStatus } from './features/site-status/feature.ts'
import { createFeature as textFilters } from './features/text-filters/feature.ts'
import { createFeature as wallet } from './features/wallet/feature.ts'
import type { AppContext } from './kernel/app-context.ts'
import type { Feature, FeatureContext } from './kernel/feature.ts'
import type { FindService } from './kernel/feature-services.ts'
import { createFeature as live } from './kernel/live/feature.ts'
import type { Handlers } from './kernel/live/handler.ts'
import { createFeature as operations } from './kernel/operations/feature.ts'
import { createFeature as regions } from './kernel/regions/feature.ts'

type CreateFeature = (context: FeatureContext) => Feature

/** Routes, hello parts and jobs come in this order: a banned browser is refused before another feature reads. */
const featureFactories: readonly CreateFeature[] = [
  accountMarks,
  accounts,
  announcements,
  audit,
  calls,
  directMessages,
  diskSpace,
  gifts,
  legal,
  media,
  messageSearch,
  moderation,
  nameSkeletons,
  notifications,
  posts,
  presence,
  profiles,
  relations,
  reports,
  roomChat,
  roomAccess,
  roomManagement,
  roomOrders,
  rooms,
  sanctions,
  sharing,
  siteStatus,
  textFilters,
  wallet,
  operations,
  live,
  regions,
]

/** Creates all features, and the context with what they add to it. */
export function createFeatures(
  coreContext: Omit<AppContext, 'handlers' | 'service' | 'liveHooks'>,
  others: Omit<FeatureContext, 'appContext'>,
): { appContext: AppContext; features: Feature[] } {
  const appContext: AppContext = {
    ...coreContext,
    handlers: () => handlers,
    service: (service) => findService(service),
    liveHooks: () => liveHooks,
  }
  const features = featureFactories.map((createFeature) => createFeature({ appContext, ...others }))
  const handlers = collectHandlers(features)
  const findService = collectServices(features)
  const liveHooks = features.flatMap(({ live }) => live ?? [])
  return { appContext, features }
}

/** The handlers of all features. Throws when a command has two handlers, or none. */
export function collectHandlers(features: readonly Feature[]): Handlers {
  const handlers: Partial<Handlers> = mergeDistinct(
    'handler of the command',
    features.map((feature) => feature.handlers ?? {}),
  )
  const missing = Object.keys(commands).filter((name) => !Object.hasOwn(handlers, name))
  if (missing.length) throw new Error(`no feature handles ${missing.join(', ')}`)
  return handlers as Handlers // none is missing
}

/** Finds the services of all features. Throws when two features provide the same one. */
function collectServices(features: readonly Feature[]): FindService {
  const provided = new Map<object, unknown>()
  for (const { service, value } of features.flatMap(({ services = [] }) => services)) {
    if (provided.has(service)) throw new Error(`two features provide the service ${service.name}`)
    provided.set(service, value)
  }
  return <T>(service: { readonly name: string }) => {
    if (!provided.has(service)) throw new Error(`no feature provides the service ${service.name}`)
    return provided.get(service) as T // `providedBy` has checked its type
  }
}
