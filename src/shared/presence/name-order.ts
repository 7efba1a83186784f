/** Created on first use, because pages are usable before any names are sorted. */
let turkishCollator: Intl.Collator | undefined

/** The order of names in lists. Names that collate as equal are ordered by code units, because lists are paged by name. */
export function compareNames(a: string, b: string): number {
  turkishCollator ??= new Intl.Collator('tr')
  return turkishCollator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The index of the first of the sorted people whose name comes after `name`. */
export function upperBound(people: readonly { username: string }[], name: string, order = compareNames): number {
  let [low, high] = [0, people.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const person = people[middle]
    if (person && order(person.username, name) > 0) high = middle
    else low = middle + 1
  }
  return low
}
