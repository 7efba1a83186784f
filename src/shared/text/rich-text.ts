/** A stretch of a message: plain words, an address that can be opened, or the name of somebody who is mentioned. */
export type RichTextSegment =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; name: string }

// Names hold letters, digits and `_ - .` (accounts/protocol.ts). A full stop or a dash behind one ends the sentence, so a
// name that ends so is written in brackets. An @ behind a character of a name, as in an e-mail address, mentions nobody;
// so a mention that is taken back can never make another one of what stands behind it.
const segmentPattern =
  /(?:https?:\/\/|\bwww\.)[^\s<>"]+|(?<![\p{L}\p{N}_.@/\]-])@(?:\[\{?([\p{L}\p{N}_.-]{1,64})\}?\]|([\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}_])?))/giu

/** A message in pieces, in order; their `text`s together are the message. */
export function parseRichText(message: string): RichTextSegment[] {
  const pieces: RichTextSegment[] = []
  let end = 0
  const add = (at: number, piece: RichTextSegment): void => {
    if (at > end) pieces.push({ kind: 'text', text: message.slice(end, at) })
    pieces.push(piece)
    end = at + piece.text.length
  }
  for (const { index, 0: text, 1: bracketed, 2: bare } of message.matchAll(segmentPattern)) {
    const name = bracketed ?? bare
    const piece: RichTextSegment | null = name ? { kind: 'mention', text, name } : parseLink(text)
    if (piece) add(index, piece)
  }
  if (end < message.length) pieces.push({ kind: 'text', text: message.slice(end) })
  return pieces
}

/** http and https alone, and no names before an @, with which one address passes for another. */
function parseLink(written: string): RichTextSegment | null {
  const text = trimTrailingPunctuation(written)
  const href = /^www\./i.test(text) ? `https://${text}` : text
  if (!URL.canParse(href)) return null
  const { protocol, username, password, hostname } = new URL(href)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' && hostname !== '' ? { kind: 'link', text, href } : null
}

/** Without the punctuation that belongs to the sentence around; a round bracket stays where it closes one inside. */
function trimTrailingPunctuation(written: string): string {
  let loose = written.split(')').length - written.split('(').length
  let end = written.length
  for (; end > 0; end--) {
    const last = written[end - 1] ?? ''
    if (last === ')' ? loose-- <= 0 : !/[\].,:;!?'’”…*_}]/u.test(last)) break
  }
  return written.slice(0, end)
}
