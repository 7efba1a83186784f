import { LRUCache } from 'lru-cache'

/** Entries of all kept lists together; an entry takes a few hundred bytes. */
const MAX_ENTRIES = 50_000

type Entry = Readonly<Record<string, unknown>>

/** Returns the same frozen array as long as its content is the same, so that what is made of it can be kept as well. */
export class KeptLists {
  private readonly lists = new LRUCache<string, readonly object[]>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: (list) => list.length + 1,
  })

  keep<T extends object>(key: string, list: readonly T[]): readonly T[] {
    const kept = this.lists.get(key)
    if (kept?.length === list.length && kept.every((entry, index) => isSame(entry, list[index]))) {
      return kept as readonly T[] // equal in all fields
    }
    const frozen = Object.freeze([...list])
    this.lists.set(key, frozen)
    return frozen
  }
}

/** Whether two flat objects have the same fields. */
function isSame(a: object, b: object | undefined): boolean {
  if (a === b) return true
  // Their values are compared, whatever they are.
  const [left, right] = [a as Entry, (b ?? {}) as Entry]
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key])
}
