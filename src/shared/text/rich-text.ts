/** A segment of a message: plain text, a web link, or a mention of a user. */
export type RichTextSegment =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; name: string }

/** Links of a text beyond this stay text: each costs a parsed address and an element of every reader's page. */
const MAX_LINKS = 20

interface RichTextOptions {
  maxLinks?: number
  maxMentions?: number
}

// Names contain letters, digits and `_ - .` (accounts/protocol.ts). A trailing full stop or dash belongs to the sentence, so
// names that end with one are matched in brackets. An @ after a name character, as in an e-mail address, is no mention, so
// removing a mention never turns the text after it into another one.
const segmentPattern =
  /(?:https?:\/\/|\bwww\.)[^\s<>"]+|(?<![\p{L}\p{N}_.@/\]-])@(?:\[\{?([\p{L}\p{N}_.-]{1,64})\}?\]|([\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}_])?))/giu

/** Splits a message into segments, whose texts joined are the message. Links and mentions beyond the options stay text. */
export function parseRichText(
  message: string,
  { maxLinks = MAX_LINKS, maxMentions = Number.POSITIVE_INFINITY }: RichTextOptions = {},
): RichTextSegment[] {
  const segments: RichTextSegment[] = []
  let links = 0
  let mentions = 0
  let end = 0
  const add = (at: number, segment: RichTextSegment): void => {
    if (at > end) segments.push({ kind: 'text', text: message.slice(end, at) })
    segments.push(segment)
    end = at + segment.text.length
  }
  for (const { index, 0: text, 1: bracketed, 2: bare } of message.matchAll(segmentPattern)) {
    const name = bracketed ?? bare
    const isWithinLimit = name ? mentions++ < maxMentions : links++ < maxLinks
    if (!isWithinLimit) continue
    const segment: RichTextSegment | null = name ? { kind: 'mention', text, name } : parseLink(text)
    if (segment) add(index, segment)
  }
  if (end < message.length) segments.push({ kind: 'text', text: message.slice(end) })
  return segments
}

/** Only http and https, and no user info before an @, which can make one host look like another. */
function parseLink(matched: string): RichTextSegment | null {
  const text = trimTrailingPunctuation(matched)
  const href = /^www\./i.test(text) ? `https://${text}` : text
  if (!URL.canParse(href)) return null
  const { protocol, username, password, hostname } = new URL(href)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' && hostname !== '' ? { kind: 'link', text, href } : null
}

/** Removes trailing punctuation of the sentence; keeps a closing bracket that matches one inside the link. */
function trimTrailingPunctuation(matched: string): string {
  let loose = matched.split(')').length - matched.split('(').length
  let end = matched.length
  for (; end > 0; end--) {
    const last = matched[end - 1] ?? ''
    if (last === ')' ? loose-- <= 0 : !/[\].,:;!?'’”…*_}]/u.test(last)) break
  }
  return matched.slice(0, end)
}
