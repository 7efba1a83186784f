import { globSync } from 'node:fs'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { LoggedEvent } from '../database/logged-event.ts'
import type { Reader } from '../database/read.ts'
import type { Handshake, HelloPart, LiveHooks } from './define-live-hooks.ts'

const serverFolder = new URL('../../', import.meta.url)
const files = globSync('{kernel,model,features}/*/live-hooks.ts', { cwd: serverFolder }).sort()
const features = await Promise.all(
  files.map(async (file) => {
    const { liveHooks } = (await import(new URL(file, serverFolder).href)) as { liveHooks: LiveHooks } // each file exports them
    return liveHooks
  }),
)

/** The hello parts of all features, or the first refusal. */
export function collectHelloParts(handshake: Handshake): HelloPart[] | Refusal {
  const parts: HelloPart[] = []
  for (const { onHello } of features) {
    const part = onHello?.(handshake) ?? {}
    if (part instanceof Refusal) return part
    parts.push(part)
  }
  return parts
}

/** Whether any feature leaves the event out of a replay. */
export function isObsoleteEvent(reader: Reader, event: LoggedEvent, now: number): boolean {
  return features.some(({ isObsolete }) => isObsolete?.(reader, event, now) ?? false)
}
