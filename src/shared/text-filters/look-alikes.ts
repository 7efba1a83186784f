/** Small capitals, barred letters, letters of other alphabets, and digits that are typed for a Latin letter. */
const lookAlikeLetters: Record<string, string> = {
  a: 'аαɑ4ᴀⱥꓮ',
  b: 'вЬьβ8ʙƀɓꓐ',
  c: 'сϲᴄƈȼꓚ',
  d: 'ԁᴅđðɗꓓ',
  e: 'еєεэ3ᴇɇəꓰ',
  f: 'ꜰƒꓝ',
  g: 'ɡ9ɢǥɠꓖ',
  h: 'һнʜħɦꓧ',
  i: 'іιїӏ1ɩɪɨꓲ',
  j: 'јϳᴊɉꓙ',
  k: 'кκᴋƙĸꓗ',
  l: 'ⅼʟłƚɭꓡ',
  m: 'мϻᴍɱꓟ',
  n: 'пηոɴŋɲƞꓠ',
  o: 'оοσ0өᴏøɵօꓳ',
  p: 'рρᴘƥꓑ',
  r: 'гʀɍɽꓣ',
  s: 'ѕ5ꜱʂȿꓢ',
  t: 'тτ7ᴛŧƭꓔ',
  u: 'υцսᴜʉꓴ',
  v: 'ѵνᴠʋꓦ',
  w: 'ԝωᴡꓪ',
  x: 'хχꓫ',
  y: 'уүγʏɏƴꓬ',
  z: 'ᴢƶȥʐꓜ',
}

const latinByLookAlike = new Map(
  Object.entries(lookAlikeLetters).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)

/** Signs that stand for a letter between two letters. */
export const letterBySign: ReadonlyMap<string, string> = new Map([
  ['@', 'a'],
  ['$', 's'],
  ['€', 'e'],
  ['!', 'i'],
  ['|', 'i'],
  ['¡', 'i'],
])

/** Blocks of 26 letters in a row that have no compatibility form: negative circled, negative squared, regional indicators. */
const FIRST_OF_LETTER_BLOCKS = [0x1f150, 0x1f170, 0x1f1e6]

/** The Latin letter that a letter or digit looks like, or the character itself. */
export function toLatinLetter(character: string): string {
  return latinByLookAlike.get(character) ?? character
}

/** The letter of a picture of a letter; null for another character. */
export function letterOfPicture(character: string): string | null {
  const code = character.codePointAt(0) ?? 0
  const first = FIRST_OF_LETTER_BLOCKS.find((start) => code >= start && code < start + 26)
  return first === undefined ? null : String.fromCharCode('a'.charCodeAt(0) + code - first)
}
