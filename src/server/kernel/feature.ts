import type { AppContext } from './app-context.ts'
import type { LoggedEvent } from './database/events/logged-event.ts'
import type { ProvidedService } from './feature-services.ts'
import type { FileStore } from './files/file-store.ts'
import type { NodeApp } from './http/node-app.ts'
import type { LiveHooks } from './live/define-live-hooks.ts'
import type { Handlers } from './live/handler.ts'
import type { Job } from './operations/jobs.ts'
import type { PeerBus } from './regions/peer-bus.ts'
import type { Pages } from './render/pages.ts'

/** What a feature is created with. */
export interface FeatureContext {
  appContext: AppContext
  peerBus: PeerBus
  files: FileStore
}

/** What a feature adds to a region's main thread. What it runs in the writer's thread is in its `commands.ts`. */
export interface Feature {
  /** Handlers of the live protocol, by the name of their command. */
  handlers?: Partial<Handlers>
  services?: readonly ProvidedService[]
  /** What it does in the handshake and the replay of a connection. */
  live?: LiveHooks
  registerRoutes?(app: NodeApp, pages: Pages): void
  /** Routes of other regions, which come before the request limit. */
  registerRegionRoutes?(app: NodeApp): void
  jobs?: Job[]
  /** Called for each commit of this region's writer, in log order, before its answers are sent. */
  onCommit?(events: readonly LoggedEvent[]): void
  /** Called when this region becomes the primary. */
  onPromoted?(): unknown
  /** Called at shutdown: the feature must not submit further writes by itself. */
  onStopping?(): void
  /** Ends background work, after all connections are closed. */
  close?(): void
}
