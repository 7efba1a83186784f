/** Made when it is first needed: a page is shown and used before names are put in order. */
let turkishCollator: Intl.Collator | undefined

/** The order of names in a room. Names that sort alike are told apart, since a list is paged by them. */
export function compareNames(a: string, b: string): number {
  turkishCollator ??= new Intl.Collator('tr')
  return turkishCollator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The place of the first of these, who are in order, that comes after the name. */
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
