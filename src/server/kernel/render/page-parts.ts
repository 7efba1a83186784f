/** A part of a page as text, or as bytes that are kept from one page to the next. */
export type PagePart = string | Uint8Array

/** Shorter parts cost less as text than as bytes of their own. */
const MIN_KEPT_CHARACTERS = 1_000
/** Surrounds the number of a part in the text. Nobody else knows it, so no content of a page can contain it. */
const mark = `kept-${crypto.randomUUID()}-`

/** A part for keeping: bytes, unless it is short. */
export function toCachedPart(text: string): PagePart {
  return text.length < MIN_KEPT_CHARACTERS ? text : Buffer.from(text)
}

/** The kept parts of one page. While the page is rendered, its text has a short mark in place of each. */
export class PlacedParts {
  private readonly parts: Uint8Array[] = []

  /** What stands for the part in the text. */
  place(part: PagePart): string {
    return typeof part === 'string' ? part : `${mark}${this.parts.push(part) - 1}${mark}`
  }

  /** The text, divided where parts were placed, with these parts. */
  divide(text: string): PagePart[] {
    return text.split(mark).map((piece, index) => (index % 2 === 0 ? piece : (this.parts[Number(piece)] ?? '')))
  }
}

export function joinParts(parts: readonly PagePart[]): Uint8Array<ArrayBuffer> {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
