import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type IcePeer, rewriteDescription } from '../../sdp.ts'
import type { DescriptionType } from '../../sdp-parser.ts'

export interface RecordedDescription {
  name: string
  type: DescriptionType
  sdp: string
}

/** Descriptions of Chromium 156 and Firefox 153 after they gathered candidates. */
export const recorded: RecordedDescription[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.sdp'))
  .map((name) => ({
    name,
    type: name.includes('answer') ? 'answer' : 'offer',
    sdp: readFileSync(join(import.meta.dirname, name), 'utf8').replace(/\r?\n/g, '\r\n'),
  }))

export const chromium = recordedOf('chromium-offer.sdp')
export const chromiumAnswer = recordedOf('chromium-answer-to-chromium.sdp')
export const firefox = recordedOf('firefox-offer.sdp')

export const relay: IcePeer = {
  credentials: { usernameFragment: 'relayFragment', password: 'relayPasswordOf24Letters' },
  candidates: [
    { transport: 'udp', address: '203.0.113.7', port: 40_000 },
    { transport: 'udp', address: '2001:db8::7', port: 40_000 },
    { transport: 'tcp', address: '203.0.113.7', port: 40_000 },
    { transport: 'tcp', address: '2001:db8::7', port: 40_000 },
  ],
}
/** Without candidates of its own, so that every address in the output came from the browser. */
export const addressless: IcePeer = { ...relay, candidates: [] }

function recordedOf(name: string): RecordedDescription {
  const found = recorded.find((one) => one.name === name)
  if (!found) throw new Error(`no fixture ${name}`)
  return found
}

export function linesOf(sdp: string): string[] {
  return sdp.trimEnd().split('\r\n')
}

/** The lines of the result; fails when it is refused. */
export function rewritten(sdp: string, type: DescriptionType): string[] {
  const reasons: string[] = []
  const result = rewriteDescription(sdp, type, relay, (reason) => reasons.push(reason))
  expect(reasons).toEqual([])
  expect(result).toMatch(/\r\n$/)
  return linesOf(result ?? '')
}
