import { globSync } from 'node:fs'
import type { Reader } from '../database/read.ts'
import type { ProfilePart, ProfilePartInput } from './queries.ts'

const serverFolder = new URL('../', import.meta.url)

/** The parts of all features, by the order of the features' names. */
const profileParts: readonly ProfilePart[] = await Promise.all(
  globSync('*/profile-part.ts', { cwd: serverFolder })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, serverFolder).href)) as { profilePart: ProfilePart } // each file exports it
      return module.profilePart
    }),
)

/** What all features add to a profile. `actions` is removed for viewers who are not root admins. */
export function readProfileParts(
  reader: Reader,
  input: ProfilePartInput,
  parts: readonly ProfilePart[] = profileParts,
): ReturnType<ProfilePart> {
  const { actions, ...shown }: ReturnType<ProfilePart> = Object.assign({}, ...parts.map((part) => part(reader, input)))
  return { ...shown, ...(actions && input.actor.role === 'rootadmin' && { actions }) }
}
