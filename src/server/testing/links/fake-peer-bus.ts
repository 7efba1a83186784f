import { decode } from '@msgpack/msgpack'
import { encode } from '../../../shared/protocol/frame.ts'
import type { PeerBus } from '../../regions/peer-bus.ts'

/** What one region of the test said to others. */
export interface SentBusMessage {
  from: string
  to: string | 'all'
  topic: string
  /** Of the payload, as MessagePack. */
  bytes: number
}

/** The bus of several regions in memory: every message crosses it as MessagePack and takes a moment. */
export interface FakePeerBuses {
  /** Everything that was said, also to nobody. */
  sentMessages: SentBusMessage[]
  busOf(region: string): PeerBus
  /** Nothing gets to or from this region any more. */
  disconnect(region: string): void
  /** It can be reached, for the first time or again. Some are not told: it was lost for too short a time for them. */
  connect(region: string, told?: 'all' | 'onlyJoining' | 'none'): void
  /** It has been cut off for so long that its people count as gone; to it, the others' do. */
  expire(region: string): void
}

/** @param tookMs how long a message is on its way */
export function createFakePeerBuses(regions: string[], tookMs = 1): FakePeerBuses {
  const joined = new Set<string>()
  const ends = new Map(regions.map((region) => [region, createBusEndpoint()]))
  const said: SentBusMessage[] = []
  const end = (region: string) => ends.get(region) ?? throwUnknownRegion(region)
  const others = (region: string) => (joined.has(region) ? [...joined].filter((other) => other !== region) : [])

  function send(from: string, to: string | 'all', topic: string, payload: unknown): void {
    const bytes = encode(payload)
    said.push({ from, to, topic, bytes: bytes.length })
    for (const other of others(from).filter((region) => to === 'all' || to === region)) {
      setTimeout(() => {
        if (!joined.has(from) || !joined.has(other)) return
        for (const listener of end(other).listeners.get(topic) ?? []) listener(from, decode(bytes))
      }, tookMs)
    }
  }

  return {
    sentMessages: said,
    busOf: (region) => ({
      region,
      peers: () => others(region),
      send: (to, topic, payload) => send(region, to, topic, payload),
      on: (topic, listener) => {
        const { listeners } = end(region)
        listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
      },
      onJoined: (listener) => end(region).joinListeners.push(listener),
      onGone: (listener) => end(region).goneListeners.push(listener),
    }),
    disconnect: (region) => joined.delete(region),
    connect: (region, told = 'all') => {
      joined.add(region)
      for (const other of others(region)) {
        for (const listener of told === 'all' ? end(other).joinListeners : []) listener(region)
        for (const listener of told === 'none' ? [] : end(region).joinListeners) listener(other)
      }
    },
    expire: (region) => {
      joined.delete(region)
      for (const other of regions.filter((name) => name !== region)) {
        for (const listener of end(other).goneListeners) listener(region)
        for (const listener of end(region).goneListeners) listener(other)
      }
    },
  }
}

interface BusEndpoint {
  listeners: Map<string, ((from: string, payload: unknown) => void)[]>
  joinListeners: ((region: string) => void)[]
  goneListeners: ((region: string) => void)[]
}

function createBusEndpoint(): BusEndpoint {
  return { listeners: new Map(), joinListeners: [], goneListeners: [] }
}

function throwUnknownRegion(region: string): never {
  throw new Error(`the test has no region ${region}`)
}
