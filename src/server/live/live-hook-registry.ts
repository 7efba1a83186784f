import { globSync } from 'node:fs'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { LoggedEvent } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import type { Handshake, HelloPart, LiveHooks } from './define-live-hooks.ts'

const serverFolder = new URL('../', import.meta.url)
const files = globSync('*/live-hooks.ts', { cwd: serverFolder }).sort()
const features = await Promise.all(
  files.map(async (file) => {
    const { liveHooks } = (await import(new URL(file, serverFolder).href)) as { liveHooks: LiveHooks } // each file exports them
    return liveHooks
  }),
)

/** What all features add to a connection that opens, or the first refusal. */
export function collectHelloParts(handshake: Handshake): HelloPart[] | Refusal {
  const parts: HelloPart[] = []
  for (const { onHello } of features) {
    const part = onHello?.(handshake) ?? {}
    if (part instanceof Refusal) return part
    parts.push(part)
  }
  return parts
}

/** Whether a feature says that an event must not be replayed any more. */
export function isObsoleteEvent(reader: Reader, event: LoggedEvent): boolean {
  return features.some(({ isObsolete }) => isObsolete?.(reader, event) ?? false)
}
