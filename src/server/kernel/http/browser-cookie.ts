import type { IncomingMessage } from 'node:http'

/** Identifies the browser beside the id in its storage, which scripts can change: they cannot read this cookie. */
export const BROWSER_COOKIE_NAME = 'meydan_browser'

const pattern = new RegExp(`(?:^|;)\\s*${BROWSER_COOKIE_NAME}=([\\w-]{16,64})(?=;|\\s*$)`)

/** The browser id of the request's cookie; null without one. It is not signed: a forged one is just another browser. */
export function browserCookie(incoming: Pick<IncomingMessage, 'headers'>): string | null {
  return pattern.exec(incoming.headers.cookie ?? '')?.[1] ?? null
}

/** Whether a browser id of a page's storage can be the value of the cookie. */
export function fitsBrowserCookie(browserId: string): boolean {
  return /^[\w-]{16,64}$/.test(browserId)
}
