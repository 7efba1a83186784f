import type { Person } from '../accounts/protocol.ts'

/** Whether this user may publish posts: root admins and premium members may (specification 2, points 1 and 5). */
export function canPost({ role, premiumStatus }: Pick<Person, 'role' | 'premiumStatus'>): boolean {
  return role === 'rootadmin' || premiumStatus === 'premium'
}
