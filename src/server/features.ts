import { globSync } from 'node:fs'
import type { CommandName } from '../shared/protocol/catalogue.ts'
import type { Refusal } from '../shared/protocol/refusals.ts'
import type { SignInDeps } from './accounts/sign-in/sign-in-deps.ts'
import type { RerenderLanding } from './accounts/sign-in/sign-in-forms.ts'
import type { AppContext } from './app-context.ts'
import type { LoggedEvent } from './database/events.ts'
import type { Actor } from './database/transact.ts'
import type { NodeApp, NodeContext } from './http/route.ts'
import type { Handlers } from './live/handler.ts'
import type { FileStore } from './media/file-store.ts'
import type { PasswordVerifier } from './profiles/profile-updater.ts'
import { commands } from './protocol/catalogue.ts'
import type { Job } from './region-jobs.ts'
import type { PeerBus } from './regions/peer-bus.ts'

/** What a feature is created with. */
export interface FeatureContext {
  appContext: AppContext
  peerBus: PeerBus
  files: FileStore
}

/** What routes share of sign-ins and pages. */
export interface RouteDeps {
  signIn: SignInDeps
  passwords: PasswordVerifier
  rerenderLanding: RerenderLanding
  /** The user of a request; null without a session. */
  optionalActor(context: NodeContext): Promise<Actor | Refusal | null>
}

/** What a feature adds to a region's main thread. Its write commands are in its `writes.ts`. */
export interface Feature {
  /** Handlers of the live protocol, by the name of their command. */
  handlers?: Partial<Handlers>
  registerRoutes?(app: NodeApp, deps: RouteDeps): void
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

type CreateFeature = (context: FeatureContext) => Feature

const serverFolder = new URL('./', import.meta.url)

/** By the order of the features' names. Loaded with this module, so that a region opens in one step. */
const featureFactories: readonly CreateFeature[] = await Promise.all(
  globSync('*/feature.ts', { cwd: serverFolder })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, serverFolder).href)) as { createFeature: CreateFeature } // each file exports it
      return module.createFeature
    }),
)

/** Creates every feature that has a `feature.ts`. */
export function createFeatures(context: FeatureContext): Feature[] {
  return featureFactories.map((createFeature) => createFeature(context))
}

/** The handlers of all features. Throws when a command has two handlers, or none. */
export function collectHandlers(features: readonly Feature[]): Handlers {
  const collected: Partial<Record<string, unknown>> = {}
  for (const [name, handler] of features.flatMap(({ handlers = {} }) => Object.entries(handlers))) {
    if (Object.hasOwn(collected, name)) throw new Error(`two features handle the command ${name}`)
    collected[name] = handler
  }
  const missing = Object.keys(commands).filter((name) => !Object.hasOwn(collected, name))
  if (missing.length) throw new Error(`no feature handles ${missing.join(', ')}`)
  return collected as Record<CommandName, never> // Feature types each handler by its name
}
