import { nameSkeleton } from '../text/name-skeleton.ts'
import { foldName } from '../text/turkish.ts'

/** Words that suggest the product or its staff, folded and without accents: refused as a word of a name. */
const reservedWords = [
  'administrator',
  'superadmin',
  'sysadmin',
  'rootadmin',
  'mod',
  'kurucu',
  'sunucu',
  'misafir',
  'anonim',
  'resmi',
]
/** Those that are refused inside another word too. */
const reservedParts = [
  'meydan',
  'admin',
  'root',
  'moderator',
  'moderasyon',
  'yonetici',
  'yonetim',
  'yetkili',
  'operator',
  'webmaster',
  'sistem',
  'system',
  'destek',
  'support',
]
/** Turkish words that contain one by chance. */
const harmlessWords = ['badminton', 'groot', 'sistematik', 'desteksiz']

const partShapes = reservedParts.map(toShape)
const harmlessShapes = harmlessWords.map(toShape)
const wordShapes = new Set([...reservedWords, ...reservedParts].map(toShape))

const digitsAsLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
}

/**
 * Whether a name contains a reserved word: alone, beside digits or separators (`admin_ali`, `1admin`), inside another word
 * (`kraladmin`, `Meydancı`), spread over separators (`a.d.m.i.n`), with accents or look-alikes (`ađmin`, `AdmIn`, `adrnin`), or
 * with digits for letters (`4dm1n`, `adm1n1`). Short and common words count only as whole words (`modacı`, `misafirperver`).
 */
export function isReservedName(name: string): boolean {
  const plain = foldName(name)
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
  const digitsToLetters = (text: string) => text.replace(/[013457]/g, (digit) => digitsAsLetters[digit] ?? digit)
  const withoutOuterDigits = plain.replace(/^\d+|\d+$/g, '')
  return [plain, digitsToLetters(plain), digitsToLetters(withoutOuterDigits)].some((text) => {
    const words = text.split(/[^\p{Letter}]+/u)
    return words.some(hasReservedPart) || [...words, words.join('')].some((word) => wordShapes.has(toShape(word)))
  })
}

function hasReservedPart(word: string): boolean {
  const shape = harmlessShapes.reduce((rest, harmless) => rest.replaceAll(harmless, ' '), toShape(word))
  return partShapes.some((part) => shape.includes(part))
}

/** What a folded word looks like, where `i` and `l` do not differ. */
function toShape(word: string): string {
  return nameSkeleton(word).replaceAll('i', 'l')
}
