import { LRUCache } from 'lru-cache'

/** Entries of all kept lists together; an entry takes a few hundred bytes. */
const MAX_ENTRIES = 50_000

/** Returns the same frozen array as long as its content is the same, so that what is made of it can be kept as well. */
export class KeptLists {
  private readonly lists = new LRUCache<string, readonly object[]>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: (list) => list.length + 1,
  })

  keep<T extends object>(key: string, list: readonly T[]): readonly T[] {
    const current = keepIfSame(this.lists.get(key), list)
    this.lists.set(key, current)
    return current
  }
}

/** The kept array if it has the same content as the new one, else the new one, frozen. */
export function keepIfSame<T extends object>(kept: readonly object[] | undefined, list: readonly T[]): readonly T[] {
  const isUnchanged = kept?.length === list.length && kept.every((entry, index) => isSame(entry, list[index]))
  return isUnchanged ? (kept as readonly T[]) : Object.freeze([...list]) // equal in all fields
}

/** Whether two values of JSON are equal. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a) as (keyof typeof a)[] // Object.keys returns string[]
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(a[key], b[key]))
}
