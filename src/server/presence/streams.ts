import type { Role } from '../../shared/accounts/protocol.ts'
import { defineStream, type Stream } from '../database/streams.ts'

/** The connections of root admins. */
export const rootAdminStream = defineStream('admins')
/** The connections of everybody else. */
export const visitorStream = defineStream('visitors')

/** The stream that says who is on the site: by name to root admins, as a number to others. */
export function presenceStreamFor(role: Role): Stream {
  return role === 'rootadmin' ? rootAdminStream : visitorStream
}
