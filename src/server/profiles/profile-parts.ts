import { globSync } from 'node:fs'
import type { ProfilePart } from './queries.ts'

const serverFolder = new URL('../', import.meta.url)

/** The parts of all features, by the order of the features' names. */
export const profileParts: readonly ProfilePart[] = await Promise.all(
  globSync('*/profile-part.ts', { cwd: serverFolder })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, serverFolder).href)) as { profilePart: ProfilePart } // each file exports it
      return module.profilePart
    }),
)
