/** Whether all fields in which a client may say who it is agree with its session; a field that is left out agrees. */
export function agreesWithSession(
  person: { id: number; username: string },
  identityFields: readonly string[],
  input: Readonly<Record<string, unknown>>,
): boolean {
  const agrees = (claimed: unknown): boolean => {
    if (claimed === undefined) return true
    if (typeof claimed === 'string') return claimed === person.username
    if (typeof claimed === 'number') return claimed === person.id
    if (typeof claimed !== 'object' || claimed === null || Array.isArray(claimed)) return false
    const { id, username } = claimed as { id?: unknown; username?: unknown } // whatever else it has does not count
    return agrees(id) && agrees(username)
  }
  return identityFields.every((field) => agrees(input[field]))
}
