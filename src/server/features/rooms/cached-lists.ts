import { LRUCache } from 'lru-cache'

/** Entries of all cached lists together; an entry takes a few hundred bytes. */
const MAX_ENTRIES = 50_000

/**
 * Returns the same frozen array as long as its content is the same, and in a changed array the same entries where they have
 * not changed, so that what is made of them can be kept as well.
 */
export class CachedLists {
  private readonly lists = new LRUCache<string, readonly Entry[]>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: (list) => list.length + 1,
  })

  keep<T extends Entry>(key: string, list: readonly T[]): readonly T[] {
    const current = keepIfSame(this.lists.get(key), list)
    this.lists.set(key, current)
    return current
  }
}

interface Entry {
  id: number
}

/** The kept array if it has the same content as the new one, else a frozen one, with the kept entries that are the same. */
export function keepIfSame<T extends Entry>(kept: readonly Entry[] | undefined, list: readonly T[]): readonly T[] {
  const isUnchanged = kept?.length === list.length && kept.every((entry, index) => isSame(entry, list[index]))
  if (isUnchanged) return kept as readonly T[] // equal in all fields
  const before = new Map(kept?.map((entry) => [entry.id, entry]))
  const entries = list.map((entry) => {
    const known = before.get(entry.id)
    return isSame(known, entry) ? (known as T) : entry // equal in all fields
  })
  return Object.freeze(entries)
}

/** Whether two values of JSON are equal. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a) as (keyof typeof a)[] // Object.keys returns string[]
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(a[key], b[key]))
}
