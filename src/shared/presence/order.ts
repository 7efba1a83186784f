/** Made when it is first needed: a page is shown and used before names are put in order. */
let turkish: Intl.Collator | undefined

/** The order of names in a room. Names that sort alike are told apart, since a list is paged by them. */
export function byName(a: string, b: string): number {
  turkish ??= new Intl.Collator('tr')
  return turkish.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The place of the first of these, who are in order, that comes after the name. */
export function placeAfter(people: readonly { username: string }[], name: string, order = byName): number {
  let [low, high] = [0, people.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const person = people[middle]
    if (person && order(person.username, name) > 0) high = middle
    else low = middle + 1
  }
  return low
}
