import type { World } from '../world.ts'
import type { EntryLimits } from './entry-limits.ts'
import type { Passwords } from './passwords.ts'

/** What the ways in share: one count of tries and one queue of passwords. */
export interface Entrance {
  world: World
  limits: EntryLimits
  passwords: Passwords
}
