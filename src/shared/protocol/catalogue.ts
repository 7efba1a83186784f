import type * as v from 'valibot'
import * as accounts from '../accounts/protocol.ts'
import * as roles from '../accounts/roles-protocol.ts'
import * as sessions from '../accounts/sessions-protocol.ts'
import * as announcements from '../announcements/protocol.ts'
import * as audit from '../audit/protocol.ts'
import * as calls from '../calls/protocol.ts'
import * as directMessages from '../direct-messages/protocol.ts'
import * as gifts from '../gifts/protocol.ts'
import * as live from '../live/protocol.ts'
import * as moderation from '../moderation/protocol.ts'
import * as notifications from '../notifications/protocol.ts'
import * as posts from '../posts/protocol.ts'
import * as reactions from '../posts/reactions-protocol.ts'
import * as presence from '../presence/protocol.ts'
import * as consolidatedProfiles from '../profiles/consolidated-protocol.ts'
import * as profiles from '../profiles/protocol.ts'
import * as profileWatching from '../profiles/watch-protocol.ts'
import * as regions from '../regions/protocol.ts'
import * as follows from '../relations/follow-protocol.ts'
import * as relations from '../relations/protocol.ts'
import * as reports from '../reports/protocol.ts'
import * as roomBans from '../room-access/ban-protocol.ts'
import * as roomPasswords from '../room-access/password-protocol.ts'
import * as roomPreferences from '../room-access/preference-protocol.ts'
import * as roomChat from '../room-chat/protocol.ts'
import * as roomManagement from '../room-management/protocol.ts'
import * as roomOrders from '../room-orders/orders-protocol.ts'
import * as ownRooms from '../room-orders/own-rooms-protocol.ts'
import * as roomOptions from '../rooms/options-protocol.ts'
import * as rooms from '../rooms/protocol.ts'
import * as sanctions from '../sanctions/protocol.ts'
import * as settings from '../settings/protocol.ts'
import * as siteStatus from '../site-status/protocol.ts'
import * as alerts from '../text-filters/alerts-protocol.ts'
import * as linkedAccounts from '../text-filters/linked-accounts-protocol.ts'
import * as textFilters from '../text-filters/protocol.ts'
import * as ledger from '../wallet/ledger-protocol.ts'
import * as moneyOptions from '../wallet/options/protocol.ts'
import * as premium from '../wallet/premium/protocol.ts'
import * as moneyRequests from '../wallet/requests/protocol.ts'
import * as starRequests from '../wallet/top-ups/protocol.ts'
import * as withdrawals from '../wallet/withdrawals/protocol.ts'
import type { CommandSpec, EventSpec, LoggedEventSpec, RouteSpec } from './define.ts'
import { type Merged, mergeDistinct } from './merge-distinct.ts'

// The browser imports the types of this file alone: its values would put every schema into the bundles.

/** What a protocol file (`src/shared/<feature>/protocol.ts` or `*-protocol.ts`) may export for the catalogue. */
interface ProtocolModule {
  commands?: Record<string, CommandSpec>
  events?: Record<string, EventSpec>
  routes?: Record<string, RouteSpec>
  /** Schemas that documents describe once, by name. */
  entities?: Record<string, v.GenericSchema>
}

/** The protocol files of all features. */
const modules = [
  accounts,
  roles,
  sessions,
  announcements,
  audit,
  calls,
  directMessages,
  gifts,
  live,
  moderation,
  notifications,
  posts,
  reactions,
  presence,
  consolidatedProfiles,
  profiles,
  profileWatching,
  regions,
  follows,
  relations,
  reports,
  roomChat,
  roomBans,
  roomPasswords,
  roomPreferences,
  roomManagement,
  roomOrders,
  ownRooms,
  roomOptions,
  rooms,
  sanctions,
  settings,
  siteStatus,
  alerts,
  linkedAccounts,
  textFilters,
  ledger,
  moneyOptions,
  premium,
  moneyRequests,
  starRequests,
  withdrawals,
] as const satisfies readonly ProtocolModule[]

type Kind = keyof ProtocolModule
type SpecsOf<M, K extends Kind> = M extends Record<K, infer S> ? S : never
type Specs<K extends Kind> = Merged<SpecsOf<(typeof modules)[number], K>>

/** Every command that a client may send, by the specification's names. */
export type Commands = Specs<'commands'>
/** Every event that a client may receive. */
export type Events = Specs<'events'>
/** Every route below `/api`. */
export type Routes = Specs<'routes'>

function collect(kind: Kind): object {
  return mergeDistinct(
    `one of ${kind}`,
    modules.map((module: ProtocolModule) => module[kind] ?? {}),
  )
}

export const commands = collect('commands') as Commands
export const events = collect('events') as Events
export const routes = collect('routes') as Routes
/** Schemas that generated documents define once, by name, and reference elsewhere. */
export const entities = collect('entities') as Record<string, v.GenericSchema>

export type CommandName = keyof Commands
export type CommandInput<N extends CommandName> = v.InferOutput<Commands[N]['input']>
export type CommandAnswer<N extends CommandName> = v.InferOutput<Commands[N]['answer']>
export type EventName = keyof Events
export type EventPayload<N extends EventName> = v.InferOutput<Events[N]['payload']>
/** Events that are rows of the log. */
export type LoggedEventName = { [N in EventName]: Events[N] extends LoggedEventSpec ? N : never }[EventName]
export type RouteName = keyof Routes
export type RouteAnswer<N extends RouteName> = v.InferOutput<Routes[N]['answer']>
