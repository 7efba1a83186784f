import { readFileSync } from 'node:fs'

const read = (name: string) =>
  readFileSync(new URL(`../../features/calls/testing/sdp-fixtures/${name}.sdp`, import.meta.url), 'utf8')

/** What Chromium offers for a call, and what another Chromium answers. */
export const OFFER = read('chromium-offer')
export const ANSWER = read('chromium-answer-to-chromium')

/** The same description after an ICE restart. */
export function restarted(sdp: string, usernameFragment: string): string {
  return sdp.replaceAll(/^a=ice-ufrag:.*$/gm, `a=ice-ufrag:${usernameFragment}`)
}

/** The relay's credentials and its UDP port in a description that a browser gets. */
export function relayIn(sdp: string): { usernameFragment: string; password: string; port: number } {
  const value = (pattern: RegExp) => pattern.exec(sdp)?.[1] ?? ''
  return {
    usernameFragment: value(/^a=ice-ufrag:(\S+)/m),
    password: value(/^a=ice-pwd:(\S+)/m),
    port: Number(value(/^a=candidate:\S+ 1 udp \d+ \S+ (\d+)/m)),
  }
}
