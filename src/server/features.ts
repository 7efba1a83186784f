import { globSync } from 'node:fs'
import type { CommandName } from '../shared/protocol/catalogue.ts'
import { commands } from '../shared/protocol/catalogue.ts'
import type { AppContext } from './kernel/app-context.ts'
import type { Feature, FeatureContext, FeatureServices } from './kernel/feature.ts'
import type { Handlers } from './kernel/live/handler.ts'

type CreateFeature = (context: FeatureContext) => Feature

const serverFolder = new URL('./', import.meta.url)

/** By the order of the features' names. Loaded with this module, so that a region opens in one step. */
const featureFactories: readonly CreateFeature[] = await Promise.all(
  globSync('{kernel,features}/*/feature.ts', { cwd: serverFolder })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, serverFolder).href)) as { createFeature: CreateFeature } // each file exports it
      return module.createFeature
    }),
)

/** Creates every feature that has a `feature.ts`, and the context with what they add to it. */
export function createFeatures(
  coreContext: Omit<AppContext, 'handlers' | 'services'>,
  others: Omit<FeatureContext, 'appContext'>,
): { appContext: AppContext; features: Feature[] } {
  const appContext: AppContext = { ...coreContext, handlers: () => handlers, services: () => services }
  const features = featureFactories.map((createFeature) => createFeature({ appContext, ...others }))
  const handlers = collectHandlers(features)
  const services = collectServices(features)
  return { appContext, features }
}

/** The handlers of all features. Throws when a command has two handlers, or none. */
export function collectHandlers(features: readonly Feature[]): Handlers {
  const handlers = mergeByName(
    features.map(({ handlers = {} }) => handlers),
    (name) => `two features handle the command ${name}`,
  )
  const missing = Object.keys(commands).filter((name) => !Object.hasOwn(handlers, name))
  if (missing.length) throw new Error(`no feature handles ${missing.join(', ')}`)
  return handlers as Record<CommandName, never> // Feature types each handler by its name
}

/** The services of all features. Throws when two features provide the same one. */
function collectServices(features: readonly Feature[]): FeatureServices {
  const services = mergeByName(
    features.map(({ services = {} }) => services),
    (name) => `two features provide the service ${name}`,
  )
  return services as unknown as FeatureServices // each feature provides what it declares
}

function mergeByName(parts: readonly object[], formatDuplicate: (name: string) => string): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(merged, name)) throw new Error(formatDuplicate(name))
    merged[name] = value
  }
  return merged
}
