// @module-tag deep
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRelay, type Relay } from '../../src/server/features/calls/relay/relay.ts'
import type { RelayCall } from '../../src/server/features/calls/relay/relay-call.ts'
import { rewriteDescription } from '../../src/server/features/calls/sdp.ts'
import { createMetrics } from '../../src/server/kernel/operations/metrics.ts'
import { launchTestBrowser } from '../drivers/browser.ts'
import { findFirefox } from '../drivers/find-browser.ts'
import { launchFirefox } from '../drivers/firefox.ts'

/** What a page of this test has: no site, a connection and two tracks of its own. */
declare global {
  interface Window {
    connection: RTCPeerConnection
    tracks: Record<string, MediaStreamTrack | undefined>
  }
}

const firefoxPath = findFirefox()
if (firefoxPath === null) console.warn('No Firefox: its descriptions are only tested as they were recorded.')
/** An empty page of a secure origin. */
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>call</title>'))
let relay: Relay
let chromium: Browser
let firefox: Browser | null = null

beforeAll(async () => {
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  relay = createRelay({
    // The machine's own addresses: Firefox sends nothing to a loopback address.
    config: { port: 0, addresses: [], hosts: [], workers: 1, maxCalls: 10 },
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
  })
  await relay.warmUp()
  chromium = await launchTestBrowser()
  if (firefoxPath !== null) firefox = await launchFirefox(firefoxPath)
})

afterAll(async () => {
  await firefox?.close()
  await chromium.close()
  await relay.close()
  site.close()
})

describe('rewritten descriptions in browsers', () => {
  it.each(['udp', 'tcp'] as const)(
    '[SDP-01] [SDP-02] [SDP-03] connect two Chromiums through the relay alone over %s',
    (transport) => expectCall(chromium, chromium, transport),
  )

  it.skipIf(firefoxPath === null)('[SDP-01] [SDP-02] [SDP-05] connect Firefox to Chromium', () =>
    expectCall(firefox ?? chromium, chromium, 'udp'),
  )

  it.skipIf(firefoxPath === null)('[SDP-01] [SDP-02] [SDP-05] connect Chromium to Firefox over TCP', () =>
    expectCall(chromium, firefox ?? chromium, 'tcp'),
  )
})

/** A call, then the same after an ICE restart: both decode frames of the other, and know the relay's address alone. */
async function expectCall(one: Browser, other: Browser, transport: 'udp' | 'tcp'): Promise<void> {
  const [caller, callee] = [await openPage(one), await openPage(other)]
  const call = relay.openCall(() => {})
  if (!call) throw new Error('the relay is full')
  await negotiate(caller, callee, call, transport)
  for (const page of [caller, callee]) await waitForFrames(page, 10)
  for (const leg of call.legs) leg.restart()
  await negotiate(caller, callee, call, transport)
  for (const page of [caller, callee]) {
    await waitForFrames(page, (await countFrames(page)) + 10)
    expect(await remoteAddresses(page)).toEqual(new Set(call.candidates.map(({ address }) => address)))
  }
  call.close()
  await Promise.all([caller.context().close(), callee.context().close()])
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const { port } = site.address() as AddressInfo // it listens on TCP
  await page.goto(`http://localhost:${port}/`)
  await page.evaluate(createConnection)
  return page
}

/** Passes an offer and its answer on as the host of a call does. Every offer restarts ICE. */
async function negotiate(caller: Page, callee: Page, call: RelayCall, transport: 'udp' | 'tcp'): Promise<void> {
  const candidates = call.candidates.filter((candidate) => candidate.transport === transport)
  const rewrite = (sdp: string, type: 'offer' | 'answer') => {
    const { credentials } = call.legs[type === 'offer' ? 1 : 0]
    const rewritten = rewriteDescription(sdp, type, { credentials, candidates }, expect.fail)
    return rewritten ?? ''
  }
  const offer = rewrite(await caller.evaluate(createOffer), 'offer')
  const answer = rewrite(await callee.evaluate(createAnswer, offer), 'answer')
  await caller.evaluate((sdp) => window.connection.setRemoteDescription({ type: 'answer', sdp }), answer)
}

async function waitForFrames(page: Page, count: number): Promise<void> {
  await expect.poll(() => countFrames(page)).toBeGreaterThanOrEqual(count)
}

function countFrames(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let frames = 0
    for (const report of (await window.connection.getStats()).values()) {
      if (report.type === 'inbound-rtp') frames += report.framesDecoded ?? 0
    }
    return frames
  })
}

/** Addresses that the browser was told, and those that it found by its checks. */
async function remoteAddresses(page: Page): Promise<Set<string>> {
  const addresses = await page.evaluate(async () => {
    const reports = [...(await window.connection.getStats()).values()]
    return reports.flatMap((report) => (report.type === 'remote-candidate' ? [String(report.address)] : []))
  })
  return new Set(addresses)
}

function createConnection(): void {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  let hue = 0
  setInterval(() => {
    if (!context) return
    context.fillStyle = `hsl(${hue++} 80% 50%)`
    context.fillRect(0, 0, canvas.width, canvas.height)
  }, 33)
  const audio = new AudioContext().createMediaStreamDestination()
  window.tracks = { video: canvas.captureStream().getVideoTracks()[0], audio: audio.stream.getAudioTracks()[0] }
  window.connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
}

async function createOffer(): Promise<string> {
  const { connection, tracks } = window
  if (connection.getTransceivers().length === 0) {
    for (const kind of ['audio', 'video']) connection.addTransceiver(tracks[kind] ?? kind)
  }
  const offer = await connection.createOffer({ iceRestart: true })
  await connection.setLocalDescription(offer)
  return offer.sdp ?? ''
}

async function createAnswer(sdp: string): Promise<string> {
  const { connection, tracks } = window
  await connection.setRemoteDescription({ type: 'offer', sdp })
  for (const transceiver of connection.getTransceivers()) {
    transceiver.direction = 'sendrecv'
    await transceiver.sender.replaceTrack(tracks[transceiver.receiver.track.kind] ?? null)
  }
  const answer = await connection.createAnswer()
  await connection.setLocalDescription(answer)
  return answer.sdp ?? ''
}
