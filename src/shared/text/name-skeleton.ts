import { toLatinLetter } from '../text-filters/look-alikes.ts'

/**
 * The part of the Unicode confusables table (UTS #39, confusables.txt) that applies to what names may have, decomposed: each
 * character with its prototype. Letters with a stroke, a hook or another alphabet's form are in text-filters/look-alikes.ts.
 */
const prototypes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  I: 'l',
  ı: 'i',
  m: 'rn',
  w: 'vv',
  Æ: 'ae',
  æ: 'ae',
  Œ: 'oe',
  œ: 'oe',
  // A breve and a caron.
  '\u0306': '\u030c',
}

/**
 * What a name looks like: two names with the same skeleton are confusable (UTS #39, section 4), as `Kemal` and `KemaI`, `Aĸmin`
 * and `Akmin`. Marks of letters count, so that `Ayşe` and `Ayse` differ, and upper and lower case do not.
 */
export function nameSkeleton(name: string): string {
  // A capital can look like another letter than its small one: `I` like `l`.
  return toPrototypes(toPrototypes(name).toLowerCase())
}

function toPrototypes(text: string): string {
  return Array.from(text.normalize('NFD'), (character) => prototypes[character] ?? toLetter(character)).join('')
}

/** A digit looks like a letter only where the table says so. */
function toLetter(character: string): string {
  return /\d/.test(character) ? character : toLatinLetter(character)
}
