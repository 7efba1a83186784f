type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
/** An object with the members of all objects of a union. */
export type Merged<U> = Intersection<U> extends infer I ? { [N in keyof I]: I[N] } : never

/** The members of all parts in one object. Throws when two parts have the same name. @param what each is, for the error */
export function mergeDistinct<U extends object>(what: string, parts: readonly U[]): Merged<U> {
  const members = new Map<string, unknown>()
  for (const [name, member] of parts.flatMap((part) => Object.entries(part))) {
    if (members.has(name)) throw new Error(`two features have the ${what} ${name}`)
    members.set(name, member)
  }
  return Object.fromEntries(members) as Merged<U> // the members of each part
}
