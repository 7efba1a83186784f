import { globSync } from 'node:fs'
import type { Commands, Events, ProtocolModule, Routes } from '../../../shared/protocol/catalogue.ts'
import type { Schema } from '../../../shared/protocol/define.ts'

const sharedFolder = new URL('../../../shared/', import.meta.url)
const files = globSync(['*/protocol.ts', '*/*-protocol.ts'], { cwd: sharedFolder }).sort()
const modules = await Promise.all(
  files.map(async (file): Promise<ProtocolModule> => import(new URL(file, sharedFolder).href)),
)

/** A plain object type of an interface in shared/protocol/catalogue.ts, whose members come from the same files. */
type Specs<T> = { [N in keyof T]: T[N] }

/** Every command that a client may send, by the specification's names. */
export const commands = collect('commands') as Specs<Commands>
/** Every event that a client may receive. */
export const events = collect('events') as Specs<Events>
/** Every route below `/api`. */
export const routes = collect('routes') as Specs<Routes>
/** Schemas that generated documents define once, by name, and reference elsewhere. */
export const entities = collect('entities') as Record<string, Schema>

/** All specs of one kind. Throws when two features use the same name. */
function collect(kind: keyof ProtocolModule): object {
  const collected: Record<string, unknown> = {}
  for (const [index, module] of modules.entries()) {
    for (const [name, spec] of Object.entries(module[kind] ?? {})) {
      if (Object.hasOwn(collected, name)) throw new Error(`${files[index]} uses the name ${name} again (${kind})`)
      collected[name] = spec
    }
  }
  return collected
}
