import { parseRichText } from '../text/rich-text.ts'
import { GUEST_LINK_TEXT, linkTooEarlyText } from './texts.ts'

const DAY_MS = 24 * 60 * 60_000
const mayHaveLink = /https?:\/\/|www\./i

/** Who may send links, and where to everybody may link. */
export interface LinkRule {
  /** Days since registration; guests have 0. */
  minDays: number
  guestsMayLink: boolean
  /** Sites with their subdomains; the site's own among them. */
  allowedHosts: readonly string[]
}

/** The Turkish reason why this sender may not send the text, or null. */
export function findLinkRefusal(
  text: string,
  sender: { isGuest: boolean; registeredAt: number },
  rule: LinkRule,
  now: number,
): string | null {
  if (rule.minDays === 0 && (rule.guestsMayLink || !sender.isGuest)) return null
  if (!sender.isGuest && now - sender.registeredAt >= rule.minDays * DAY_MS) return null
  if (!mayHaveLink.test(text) || linkedHosts(text).every((host) => isAllowedHost(host, rule.allowedHosts))) return null
  return sender.isGuest ? GUEST_LINK_TEXT : linkTooEarlyText(rule.minDays)
}

/** The hosts of all links in a text, as `parseRichText` recognises them, also of those that are shown as text. */
function linkedHosts(text: string): string[] {
  const segments = parseRichText(text, { maxLinks: Number.POSITIVE_INFINITY })
  return segments.flatMap((segment) => (segment.kind === 'link' ? [new URL(segment.href).hostname] : []))
}

function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  return allowed.some((each) => host === each || host.endsWith(`.${each}`))
}
