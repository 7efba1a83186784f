import { QUIET_ROOM_TEXT } from '../../../shared/sharing/texts.ts'
import { escapeHtml } from '../../kernel/render/escape-html.ts'

/** The size that previews of links show whole (Open Graph has no rule; the large services name 1200 by 630). */
const CARD_WIDTH = 1200
const CARD_HEIGHT = 630

const MARGIN = 80
const MAX_NAME_PX = 112
/** The width of a letter as part of the font size. Bold letters of most fonts are narrower on average. */
const LETTER_WIDTH = 0.62
const FONT = "Inter, 'Noto Sans', 'DejaVu Sans', sans-serif"

/** The arch of the site's sign (art/icon.svg), of which one is 20 wide and 31 high. */
const ARCH = 'M0 31V10a10 10 0 0 1 20 0V31'
const PERSON = '<circle cx="10" cy="14.5" r="3.7"/><path d="M5.2 31v-5.5a4.8 4.8 0 0 1 9.6 0V31Z"/>'
const ARCHES = 7
const MAX_LIT_ARCHES = ARCHES - 1

/** The share picture of a room as SVG: its name and how many people are in it. A font of the machine draws the text. */
export function roomCardSvg({ name, people }: { name: string; people: number }): string {
  const title = `#${name}`
  const size = Math.floor(Math.min(MAX_NAME_PX, (CARD_WIDTH - 2 * MARGIN) / ([...title].length * LETTER_WIDTH)))
  const count = people > 0 ? `${people.toLocaleString('tr-TR')} kişi şu anda içeride` : QUIET_ROOM_TEXT
  return cardSvg(Math.min(people, MAX_LIT_ARCHES), [
    // A name of wide letters is cut off at the margin.
    `<svg x="${MARGIN}" y="150" width="${CARD_WIDTH - 2 * MARGIN}" height="180">` +
      `<text y="140" font-size="${size}" font-weight="700" fill="#f7f2ea">${escapeXml(title)}</text></svg>`,
    `<circle cx="${MARGIN + 12}" cy="353" r="11" fill="${people > 0 ? '#57a8ff' : '#6f6a7c'}"/>`,
    `<text x="${MARGIN + 40}" y="366" font-size="38" fill="#d5cede">${count}</text>`,
  ])
}

/** The share picture of the site, from which scripts/draw-public-pictures.ts makes a file. */
export function siteCardSvg(): string {
  return cardSvg(3, [
    `<text x="${MARGIN}" y="270" font-size="84" font-weight="700" fill="#f7f2ea">Herkes meydanda.</text>`,
    `<text x="${MARGIN}" y="352" font-size="54" font-weight="700" fill="#ffbe6b">Sen neredesin?</text>`,
  ])
}

/** An arcade at night, with somebody under the first arches. */
function cardSvg(litArches: number, texts: string[]): string {
  const arches = Array.from({ length: ARCHES }, (_, index) => arch(index, index < litArches))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">` +
    '<defs><linearGradient id="night" x2="0" y2="1"><stop stop-color="#0c0b16"/><stop offset=".55" stop-color="#17142a"/>' +
    '<stop offset="1" stop-color="#2c2038"/></linearGradient></defs>' +
    `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="url(#night)"/>` +
    `<g font-family="${FONT}"><text x="${MARGIN}" y="130" font-size="40" font-weight="700" fill="#ffb454">Meydan</text>` +
    `${texts.join('')}</g>` +
    `<g transform="translate(${MARGIN} 459) scale(5.2)">${arches.join('')}</g></svg>`
  )
}

function arch(index: number, isLit: boolean): string {
  const lit = `<path fill="#ffb454" fill-opacity=".16" d="${ARCH}Z"/><g fill="#fff1dc">${PERSON}</g>`
  const stroke = `fill="none" stroke="${isLit ? '#ffb454' : '#4a4160'}" stroke-width="2.6" stroke-linecap="round"`
  return `<g transform="translate(${index * 30})">${isLit ? lit : ''}<path ${stroke} d="${ARCH}"/></g>`
}

/** Text for XML 1.0, which has no way to write most control characters. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ''))
}
