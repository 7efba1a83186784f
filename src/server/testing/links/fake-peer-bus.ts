import { decode } from '@msgpack/msgpack'
import { encode } from '../../../shared/protocol/frame.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'

/** A message from one region to others. */
export interface SentBusMessage {
  from: string
  to: string | 'all'
  topic: string
  /** Size of the payload as MessagePack. */
  bytes: number
}

/** A peer bus of several regions in memory: messages are encoded as MessagePack and arrive with a delay. */
export interface FakePeerBuses {
  /** All sent messages, also those without a receiver. */
  sentMessages: SentBusMessage[]
  busOf(region: string): PeerBus
  /** Stops messages to and from this region. */
  disconnect(region: string): void
  /** Connects a region. @param notified who gets `onJoined`: after a short interruption some regions do not */
  connect(region: string, notified?: 'all' | 'onlyJoining' | 'none'): void
  /** Disconnects a region for so long that it and the others report each other as gone. */
  expire(region: string): void
}

/** @param latencyMs one-way delay of a message */
export function createFakePeerBuses(regions: string[], latencyMs = 1): FakePeerBuses {
  const joined = new Set<string>()
  const endpoints = new Map(regions.map((region) => [region, createBusEndpoint()]))
  const sentMessages: SentBusMessage[] = []
  const endpointOf = (region: string) => endpoints.get(region) ?? throwUnknownRegion(region)
  const others = (region: string) => (joined.has(region) ? [...joined].filter((other) => other !== region) : [])

  function send(from: string, to: string | 'all', topic: string, payload: unknown): void {
    const bytes = encode(payload)
    sentMessages.push({ from, to, topic, bytes: bytes.length })
    for (const other of others(from).filter((region) => to === 'all' || to === region)) {
      setTimeout(() => {
        if (!joined.has(from) || !joined.has(other)) return
        for (const listener of endpointOf(other).listeners.get(topic) ?? []) listener(from, decode(bytes))
      }, latencyMs)
    }
  }

  return {
    sentMessages,
    busOf: (region) => ({
      region,
      peers: () => others(region),
      send: (to, topic, payload) => send(region, to, topic, payload),
      on: (topic, listener) => {
        const { listeners } = endpointOf(region)
        listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
      },
      onJoined: (listener) => endpointOf(region).joinListeners.push(listener),
      onGone: (listener) => endpointOf(region).goneListeners.push(listener),
    }),
    disconnect: (region) => joined.delete(region),
    connect: (region, notified = 'all') => {
      joined.add(region)
      for (const other of others(region)) {
        for (const listener of notified === 'all' ? endpointOf(other).joinListeners : []) listener(region)
        for (const listener of notified === 'none' ? [] : endpointOf(region).joinListeners) listener(other)
      }
    },
    expire: (region) => {
      joined.delete(region)
      for (const other of regions.filter((name) => name !== region)) {
        for (const listener of endpointOf(other).goneListeners) listener(region)
        for (const listener of endpointOf(region).goneListeners) listener(other)
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
