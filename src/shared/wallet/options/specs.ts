import * as v from 'valibot'
import { OPTION_CHANGE_LIMIT } from './limits.ts'

/** What the routes have in common that read options, of rooms and of the wallet. */
export const readingOptions = {
  access: 'signedIn',
  input: v.object({}),
} as const

/** What the routes have in common by which root admins edit options. */
export const editingOptions = {
  access: 'rootadmin',
  limiter: OPTION_CHANGE_LIMIT,
  retry: 'idempotencyKey',
} as const
