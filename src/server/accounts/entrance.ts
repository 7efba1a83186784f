import type { AppContext } from '../world.ts'
import type { SignInLimits } from './entry-limits.ts'
import type { PasswordHasher } from './passwords.ts'

/** What the ways in share: one count of tries and one queue of passwords. */
export interface SignInDeps {
  world: AppContext
  limits: SignInLimits
  passwords: PasswordHasher
}
