/** A closed switch ends here: adding a case without handling it fails the type check. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
