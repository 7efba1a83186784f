import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LinkedCluster, type LinkedTestRegion } from '../../testing/links/linked-cluster.ts'
import { INDIRECT_PEER_GONE_MS, PEER_GONE_MS } from './peer-bus.ts'

const SECOND_MS = 1_000
const SOON_MS = 100
/** A silent link is closed within this. */
const SILENT_MS = 5 * SECOND_MS

/** What a region's bus reported: `+fra` joined, `-fra` gone, `fra: text` a message. */
type PeerLog = string[]

let sites: LinkedCluster
const peerLogs = new Map<LinkedTestRegion, PeerLog>()
beforeEach(() => {
  vi.useFakeTimers()
  sites = new LinkedCluster()
  peerLogs.clear()
})
afterEach(() => void vi.useRealTimers())

function start(region: string): LinkedTestRegion {
  const site = sites.startRegion(region)
  const log: PeerLog = []
  peerLogs.set(site, log)
  site.bus.onJoined((other) => log.push(`+${other}`))
  site.bus.onGone((other) => log.push(`-${other}`))
  site.bus.on('talk', (from, text) => log.push(`${from}: ${text}`))
  return site
}

/** Starts these regions; the first is the primary. */
function startAll<const N extends string[]>(...names: N): { [K in keyof N]: LinkedTestRegion } {
  const [linkServer, ...rest] = names.map(start)
  linkServer?.linkServer.setAccepting(true)
  for (const site of rest) site.linkClient.connectTo(linkServer?.url ?? null)
  vi.advanceTimersByTime(SOON_MS)
  return [linkServer, ...rest] as { [K in keyof N]: LinkedTestRegion } // one for each name
}

/** The reports since the last call. */
const takePeerLog = (site: LinkedTestRegion) => peerLogs.get(site)?.splice(0) ?? []

describe('the peer bus', () => {
  it('[REG-17] announces every region to every other through the primary', () => {
    const [ist, fra, ams] = startAll('ist', 'fra', 'ams')
    expect(ist.bus.peers().sort()).toEqual(['ams', 'fra'])
    expect(fra.bus.peers().sort()).toEqual(['ams', 'ist'])
    expect([ist, fra, ams].map((one) => takePeerLog(one).sort())).toEqual([
      ['+ams', '+fra'],
      ['+ams', '+ist'],
      ['+fra', '+ist'],
    ])
  })

  it('[REG-17] delivers broadcasts in order, and never to their sender', () => {
    const all = startAll('ist', 'fra', 'ams')
    for (const one of all) takePeerLog(one)
    for (const speaker of all) for (const word of [1, 2, 3]) speaker.bus.send('all', 'talk', word)
    vi.advanceTimersByTime(SOON_MS)
    for (const listener of all) {
      const log = takePeerLog(listener)
      expect(log).toHaveLength(6)
      for (const { region } of all) {
        const own = log.filter((line) => line.startsWith(`${region}:`))
        expect(own).toEqual(listener.region === region ? [] : [`${region}: 1`, `${region}: 2`, `${region}: 3`])
      }
    }
  })

  it('[REG-17] delivers no message to its sender, and none of an unknown region', () => {
    const [ist, fra] = startAll('ist', 'fra')
    takePeerLog(fra)
    fra.bus.send('all', 'talk', 1)
    ist.linkServer.regions()[0]?.send({ kind: 'relay', from: 'nobody', topic: 'talk', payload: 2 })
    vi.advanceTimersByTime(SOON_MS)
    expect(fra.receivedFromPrimary.filter(({ kind }) => kind === 'relay')).toMatchObject([{ from: 'nobody' }])
    expect(takePeerLog(fra)).toEqual([])
  })

  it.each([
    ['the primary', 'fra', 'ist'],
    ['a replica', 'ist', 'ams'],
    ['a replica through the primary', 'fra', 'ams'],
  ])('[REG-17] delivers a message to one region: to %s', (_, from, to) => {
    const all = startAll('ist', 'fra', 'ams')
    for (const one of all) takePeerLog(one)
    all.find(({ region }) => region === from)?.bus.send(to, 'talk', 'psst')
    vi.advanceTimersByTime(SOON_MS)
    for (const one of all) expect(takePeerLog(one)).toEqual(one.region === to ? [`${from}: psst`] : [])
  })

  it('[REG-17] reports a region as gone after 6 s, in every region', () => {
    const [ist, fra, ams] = startAll('ist', 'fra', 'ams')
    for (const one of [ist, fra]) takePeerLog(one)
    ams.crash()
    vi.advanceTimersByTime(PEER_GONE_MS)
    expect([...takePeerLog(ist), ...takePeerLog(fra)]).toEqual([])
    vi.advanceTimersByTime(SILENT_MS)
    expect([takePeerLog(ist), takePeerLog(fra)]).toEqual([['-ams'], ['-ams']])
    expect(fra.bus.peers()).toEqual(['ist'])
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect([...takePeerLog(ist), ...takePeerLog(fra)]).toEqual([])
  })

  it('[REG-17] reports a returning region as joined, gone before or not', () => {
    const [ist, fra, ams] = startAll('ist', 'fra', 'ams')
    for (const one of [ist, fra]) takePeerLog(one)
    for (const awayMs of [1, SILENT_MS + SECOND_MS, SILENT_MS + PEER_GONE_MS + SECOND_MS]) {
      const old = [...sites.regions.values()].find(({ region }) => region === 'ams') ?? ams
      old.crash()
      vi.advanceTimersByTime(awayMs)
      const back = start('ams')
      back.linkClient.connectTo(ist.url)
      vi.advanceTimersByTime(SOON_MS)
      const expected = awayMs > SILENT_MS + PEER_GONE_MS ? ['-ams', '+ams'] : ['+ams']
      expect([takePeerLog(ist), takePeerLog(fra), takePeerLog(back).sort()]).toEqual([
        expected,
        expected,
        ['+fra', '+ist'],
      ])
    }
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect([...takePeerLog(ist), ...takePeerLog(fra)]).toEqual([])
  })

  it('[REG-17] reports no region as gone when the primary changes, and all as joined', () => {
    const [ist, fra, ams] = startAll('ist', 'fra', 'ams')
    for (const one of [ist, fra, ams]) takePeerLog(one)
    ist.linkServer.setAccepting(false)
    vi.advanceTimersByTime(2 * SECOND_MS)
    expect([ist, fra, ams].flatMap((one) => one.bus.peers())).toEqual([])
    fra.linkClient.connectTo(null)
    fra.linkServer.setAccepting(true)
    for (const one of [ist, ams]) one.linkClient.connectTo(fra.url)
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect([ist, fra, ams].map((one) => takePeerLog(one).sort())).toEqual([
      ['+ams', '+fra'],
      ['+ams', '+ist'],
      ['+fra', '+ist'],
    ])
    ist.bus.send('ams', 'talk', 'still here')
    vi.advanceTimersByTime(SOON_MS)
    expect(takePeerLog(ams)).toEqual(['ist: still here'])
  })

  it('[REG-17] reports all as gone to a region that is cut off, and it to them', () => {
    const [ist, fra, ams] = startAll('ist', 'fra', 'ams')
    for (const one of [ist, fra, ams]) takePeerLog(one)
    sites.regions.delete(ist.url)
    ams.openedSockets[0]?.near.cut()
    vi.advanceTimersByTime(SILENT_MS + PEER_GONE_MS)
    expect(takePeerLog(ams)).toEqual(['-ist'])
    expect([takePeerLog(ist), takePeerLog(fra)]).toEqual([['-ams'], ['-ams']])
    vi.advanceTimersByTime(INDIRECT_PEER_GONE_MS - PEER_GONE_MS)
    expect(takePeerLog(ams)).toEqual(['-fra'])
    sites.regions.set(ist.url, ist)
    vi.advanceTimersByTime(3 * SECOND_MS)
    expect(takePeerLog(ams).sort()).toEqual(['+fra', '+ist'])
    expect([takePeerLog(ist), takePeerLog(fra)]).toEqual([['+ams'], ['+ams']])
  })

  it('[REG-17] waits for a new primary before it reports regions as gone that do not link to it', () => {
    const [ist, fra, ams, sin] = startAll('ist', 'fra', 'ams', 'sin')
    for (const one of [ist, fra, ams, sin]) takePeerLog(one)
    sites.regions.delete(ist.url)
    for (const one of [fra, ams, sin]) one.openedSockets[0]?.near.cut()
    vi.advanceTimersByTime(20 * SECOND_MS)
    expect([takePeerLog(fra), takePeerLog(ams)]).toEqual([['-ist'], ['-ist']])
    fra.linkClient.connectTo(null)
    fra.linkServer.setAccepting(true)
    ams.linkClient.connectTo(fra.url)
    vi.advanceTimersByTime(SOON_MS)
    expect([takePeerLog(fra), takePeerLog(ams)]).toEqual([['+ams'], ['+fra']])
    vi.advanceTimersByTime(PEER_GONE_MS)
    expect([takePeerLog(fra), takePeerLog(ams)]).toEqual([['-sin'], ['-sin']])
  })

  it('[REG-17] reports a region as joined before its first message', () => {
    const [ist, fra] = startAll('ist', 'fra')
    const ams = start('ams')
    ams.bus.onJoined((other) => ams.bus.send(other, 'talk', 'hello'))
    for (const one of [ist, fra]) {
      takePeerLog(one)
      one.bus.onJoined((other) => one.bus.send(other, 'talk', 'hello'))
    }
    ams.linkClient.connectTo(ist.url)
    vi.advanceTimersByTime(SOON_MS)
    expect([takePeerLog(ist), takePeerLog(fra)]).toEqual([
      ['+ams', 'ams: hello'],
      ['+ams', 'ams: hello'],
    ])
    const log = takePeerLog(ams)
    for (const other of ['ist', 'fra']) expect(log.indexOf(`+${other}`)).toBeLessThan(log.indexOf(`${other}: hello`))
  })

  it('[REG-15] survives a listener that throws', () => {
    const [ist, fra] = startAll('ist', 'fra')
    ist.bus.on('talk', () => {
      throw new Error('unreadable payload')
    })
    takePeerLog(ist)
    for (const word of [1, 2]) fra.bus.send('all', 'talk', word)
    vi.advanceTimersByTime(SOON_MS)
    expect(takePeerLog(ist)).toEqual(['fra: 1', 'fra: 2'])
    expect(fra.linkClient.isLinked()).toBe(true)
  })

  it('[REG-17] reports nothing after close', () => {
    const [ist, fra] = startAll('ist', 'fra')
    takePeerLog(ist)
    fra.crash()
    ist.bus.close()
    vi.advanceTimersByTime(60 * SECOND_MS)
    expect(takePeerLog(ist)).toEqual([])
  })
})
