import { globSync } from 'node:fs'
import type { Reader } from '../../kernel/database/read.ts'
import type { ProfilePart, ProfilePartInput } from '../../model/profiles/queries.ts'

const serverFolder = new URL('../../', import.meta.url)

/** The parts of all features, by the order of the features' names. */
const profileParts: readonly ProfilePart[] = await Promise.all(
  globSync('{model,features}/*/profile-part.ts', { cwd: serverFolder })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, serverFolder).href)) as { profilePart: ProfilePart } // each file exports it
      return module.profilePart
    }),
)

/** The most entries of an action log. */
const MAX_ACTIONS = 100

/** What all features add to a profile. `actions`, the latest first, is removed for viewers who are not root admins. */
export function readProfileParts(
  reader: Reader,
  input: ProfilePartInput,
  parts: readonly ProfilePart[] = profileParts,
): ReturnType<ProfilePart> {
  const read = parts.map((part) => part(reader, input))
  const { actions: _, ...shown }: ReturnType<ProfilePart> = Object.assign({}, ...read)
  if (input.actor.role !== 'rootadmin') return shown
  const actions = read.flatMap((part) => part.actions ?? []).sort((a, b) => b.timestamp - a.timestamp)
  return { ...shown, ...(actions.length > 0 && { actions: actions.slice(0, MAX_ACTIONS) }) }
}
