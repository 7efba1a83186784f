// @module-tag deep
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFingerprints, readSignals } from '../drivers/call-probe.ts'
import { ensureNetworkRouter, type LinkCondition, type Network, openNetwork } from '../drivers/network-router.ts'
import type { CapturedPacket } from '../drivers/packet-capture.ts'
import { measureSlowdown } from '../drivers/patience.ts'
import { reportMissing } from '../setup/report-missing.ts'
import {
  type CallUser,
  expectConnected,
  expectSameConnections,
  hangUp,
  isInCall,
  launchBrowserIn,
  openCallUser,
  openProfile,
  placeCall,
  watchMedia,
} from './call-fixtures.ts'
import type { Cluster } from './cluster.ts'
import { updateRegionDatabase } from './region-client.ts'
import { findMissingTool, shareSiteCluster } from './test-cluster.ts'

const router = ensureNetworkRouter()
if ('missing' in router) reportMissing('Tests of calls behind bad networks', router.missing)

/** Each condition is that of both links, so packets from browser to browser meet it twice. */
const SOUND: LinkCondition = {}
/** The first user has no IPv6: they are behind the translation of addresses. */
const withoutIPv6 = (condition: LinkCondition): LinkCondition => ({
  ...condition,
  blocked: ['ipv6', ...(condition.blocked ?? [])],
})
const DNS_PORT = 53
const FIRST_FRAMES = 10
/** More than are on their way or wait to be shown when a condition begins. */
const LATER_FRAMES = 40
/** After a reload of the page. */
const MAX_REJOIN_MS = 10_000

describe.skipIf('missing' in router || findMissingTool('litefs'))('a call behind bad networks', () => {
  let network: Network
  let browsers: Browser[]
  /** Addresses are known when the regions start. */
  const relayEnv: Record<string, string> = {}
  const cluster = shareSiteCluster({ names: ['ist', 'fra'], env: relayEnv })
  let users: { cluster: Cluster; pair: [CallUser, CallUser] } | null = null

  beforeAll(async () => {
    if ('missing' in router) throw new Error(router.missing)
    network = await openNetwork(router.path)
    relayEnv.MEYDAN_RELAY_ADDRESSES = Object.values(network.siteAddresses).join()
    browsers = await Promise.all(network.clients.map((client) => launchBrowserIn(network, client)))
  })
  afterAll(async () => {
    await Promise.all((browsers ?? []).map((browser) => browser.close()))
    await network?.close()
  })

  /** Two users in two regions; others after a failure, with a cluster of their own. */
  async function openUsers(): Promise<[CallUser, CallUser]> {
    if (users?.cluster === cluster()) return users.pair
    // Those of a cluster that is gone would go on to draw and encode their pictures.
    await Promise.all(users?.pair.map(({ page }) => page.context().close()) ?? [])
    users = null
    const regions = [cluster().region('ist'), cluster().region('fra')] as const
    await Promise.all(regions.map(({ plan }) => network.sharePort(plan.sitePort)))
    const open = (prefix: string, index: 0 | 1) => {
      const browser = browsers[index]
      if (!browser) throw new Error('the browsers are open only while a test runs')
      return openCallUser(prefix, { browser, client: network.clients[index], region: regions[index] })
    }
    await network.clients[0].setCondition(withoutIPv6(SOUND))
    const pair: [CallUser, CallUser] = await Promise.all([open('Ada', 0), open('Can', 1)])
    const [ada, can] = pair
    updateRegionDatabase(regions[0], "update user set videoCallPrivacy = 'everyone' where username = ?", can.name)
    await can.visitor.sendMessage('Ara beni')
    await ada.visitor.waitForMessage('Ara beni')
    await openProfile(ada, can)
    users = { cluster: cluster(), pair }
    return pair
  }

  /** The two users, in a call with each other whose media flow. */
  async function openCall(): Promise<[CallUser, CallUser]> {
    const pair = await openUsers()
    if (await isInCall(pair[0])) return pair
    await placeCall(...pair)
    await watchMedia(pair, FIRST_FRAMES)
    return pair
  }

  /** Applies a condition to both links, and takes it back. */
  async function withCondition<T>(condition: LinkCondition, action: () => Promise<T>): Promise<T> {
    const [first, second] = network.clients
    await Promise.all([first.setCondition(withoutIPv6(condition)), second.setCondition(condition)])
    try {
      return await action()
    } finally {
      await Promise.all([first.setCondition(withoutIPv6(SOUND)), second.setCondition(SOUND)])
    }
  }

  it('[CALLNET-01] [CALLNET-02] [CALLNET-03] is seen and heard, by way of a relay that learns no key and names no address', async () => {
    const pair = await openUsers()
    const progress: Awaited<ReturnType<typeof watchMedia>> = []
    const { site, clients } = await network.capturePackets(async () => {
      await placeCall(...pair)
      progress.push(...(await watchMedia(pair, FIRST_FRAMES)))
    })
    expect(progress.map(({ after }) => after.protocol)).toEqual(['udp', 'udp'])

    const siteAddresses = Object.values(network.siteAddresses)
    for (const [index, user] of pair.entries()) {
      const other = pair[1 - index]?.client.addresses ?? []
      const packets = clients[index] ?? []
      const remotes = new Set(packets.flatMap(({ source, destination }) => [source, destination]))
      const media = packets.filter(isMedia)
      expect(media.length).toBeGreaterThan(2 * FIRST_FRAMES)
      for (const { source, destination } of media)
        expect(siteAddresses.includes(source) || siteAddresses.includes(destination)).toBe(true)
      const { descriptions } = await readSignals(user.page)
      expect(descriptions.length).toBeGreaterThan(0)
      const texts = [...descriptions, textOf(user.received)].join('\n')
      expect(texts).toContain(network.siteAddresses.ipv4)
      // The other page has told its candidates to the server: addresses, or the names that Chromium gives them.
      const candidates = textOf(pair[1 - index]?.sent ?? []).matchAll(/candidate:\S+ \d \w+ \d+ (\S+)/g)
      const otherNames = [...candidates].map(([, name = '']) => name)
      expect(otherNames.length).toBeGreaterThan(0)
      for (const name of otherNames) expect(texts).not.toContain(name)
      for (const address of other) {
        expect(remotes).not.toContain(address)
        expect(texts).not.toContain(address)
      }
    }

    // The association is between the browsers: each has the other's certificate.
    const [adas, cans] = await Promise.all(pair.map(({ page }) => readFingerprints(page)))
    expect(adas?.own).toMatch(/^[0-9a-f]{64}$/)
    expect(adas).toEqual({ own: cans?.peer, peer: cans?.own })
    expectForwardedUnchanged(site, siteAddresses)
  })

  it.each([
    [5, 0.05],
    [15, 0.15],
  ])('[CALLNET-04] goes on with %i percent of the packets lost on each link', async (_, loss) => {
    const pair = await openCall()
    const progress = await withCondition({ loss }, () => watchMedia(pair, LATER_FRAMES))
    expectSameConnections(progress)
    for (const { longestStallMs } of progress) expect(longestStallMs).toBeLessThan(2_000)
  })

  it('[CALLNET-05] goes on when each packet takes 200 ms to the relay', async () => {
    const pair = await openCall()
    const progress = await withCondition({ delayMs: 200 }, () => watchMedia(pair, LATER_FRAMES))
    expectSameConnections(progress)
    for (const { longestStallMs } of progress) expect(longestStallMs).toBeLessThan(3_000)
  })

  it('[CALLNET-06] goes on when a NAT gives its connections other ports', async () => {
    const pair = await openCall()
    await pair[0].client.rebindNat()
    expectSameConnections(await watchMedia(pair, LATER_FRAMES))
  })

  it('[CALLNET-07] goes on after the network of one was gone for 4 s', async () => {
    const pair = await openCall()
    await pair[0].client.setCondition({ blocked: ['all'] })
    await pause(4_000)
    await pair[0].client.setCondition(withoutIPv6(SOUND))
    await watchMedia(pair, LATER_FRAMES)
    await expectConnected(...pair)
    expect(await isInCall(pair[0])).toBe(true)
  })

  it('[CALLNET-08] goes on over TCP when UDP is blocked in its middle', async () => {
    const [ada, can] = await openCall()
    await ada.client.setCondition(withoutIPv6({ blocked: ['udp'] }))
    const [progress] = await watchMedia([ada, can], LATER_FRAMES)
    expect(progress?.after.protocol).toBe('tcp')
  })

  it('[CALLNET-09] is begun over TCP where UDP is blocked, and goes on in the same call after a reload of the page', async () => {
    const [ada, can] = await openCall()
    await ada.client.setCondition(withoutIPv6({ blocked: ['udp'] }))
    await hangUp(ada, can)
    await placeCall(ada, can)
    const [progress] = await watchMedia([ada, can], FIRST_FRAMES)
    expect(progress?.after.protocol).toBe('tcp')

    await ada.client.setCondition(withoutIPv6(SOUND))
    const slowdown = await measureSlowdown()
    await ada.page.reload()
    await watchMedia([ada, can], FIRST_FRAMES, MAX_REJOIN_MS * slowdown)
  })
})

/** Addresses stand in frames as text. */
function textOf(frames: readonly Buffer[]): string {
  return frames.map((frame) => frame.toString('latin1')).join('\n')
}

/**
 * DTLS and SRTP by their first byte (RFC 7983, section 7); what remains of UDP is STUN, and Chromium's own DNS queries, whose
 * first byte is random.
 */
function isMedia({ protocol, payload, sourcePort, destinationPort }: CapturedPacket): boolean {
  const first = payload[0] ?? 0
  const isDns = sourcePort === DNS_PORT || destinationPort === DNS_PORT
  return protocol === 'udp' && !isDns && ((first >= 20 && first <= 63) || (first >= 128 && first <= 191))
}

/** Each packet of media that the site has sent is one that it has received from the other side, byte for byte. */
function expectForwardedUnchanged(packets: readonly CapturedPacket[], siteAddresses: readonly string[]): void {
  const isSent = ({ source }: CapturedPacket) => siteAddresses.includes(source)
  const sent = packets.filter(isMedia).filter(isSent)
  const received = packets.filter(isMedia).filter((packet) => !isSent(packet))
  const sourcesOf = Map.groupBy(received, ({ payload }) => payload.toString('base64'))
  expect(sent.length).toBeGreaterThan(4 * FIRST_FRAMES)
  for (const { payload, destination } of sent) {
    const sources = sourcesOf.get(payload.toString('base64')) ?? []
    expect(sources.some(({ source }) => source !== destination)).toBe(true)
  }
}
