import type { AppContext } from '../../../kernel/app-context.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { SignInLimits } from './sign-in-limits.ts'

/** Shared by all sign-in routes, so that attempts are counted together and password hashes share one queue. */
export interface SignInDeps {
  appContext: AppContext
  limits: SignInLimits
  passwords: PasswordHasher
}
