import type { UserId } from '../../../shared/protocol/ids.ts'
/**
 * Whether the identity fields of a command (an id, a username, or an object of both) match the user of the session.
 * An absent field matches.
 */
export function agreesWithSession(
  user: { id: UserId; username: string },
  identityFields: readonly string[],
  input: Readonly<Record<string, unknown>>,
): boolean {
  const matches = (claimed: unknown): boolean => {
    if (claimed === undefined) return true
    if (typeof claimed === 'string') return claimed === user.username
    if (typeof claimed === 'number') return claimed === user.id
    if (typeof claimed !== 'object' || claimed === null || Array.isArray(claimed)) return false
    const { id, username } = claimed as { id?: unknown; username?: unknown } // an object here; both fields are checked below
    return matches(id) && matches(username)
  }
  return identityFields.every((field) => matches(input[field]))
}
