import type { AppContext } from '../../app-context.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { SignInLimits } from './sign-in-limits.ts'

/** What the ways in share: one count of tries and one queue of passwords. */
export interface SignInDeps {
  world: AppContext
  limits: SignInLimits
  passwords: PasswordHasher
}
