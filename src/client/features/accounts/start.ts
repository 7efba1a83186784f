import { guardBfcache } from './bfcache-guard.ts'
import { toastSignUp } from './sign-up-toast.ts'

/** What a room's page starts for accounts. */
export function start(): void {
  guardBfcache()
  toastSignUp()
}
