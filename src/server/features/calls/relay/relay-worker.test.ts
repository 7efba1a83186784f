import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMetrics } from '../../../kernel/operations/metrics.ts'
import { LOOPBACK_SETTINGS } from '../testing/open-relay.ts'
import { createRelay, type Relay } from './relay.ts'
import { SharedRelayState } from './shared-state.ts'
import type { StartRelayThread } from './spawn-relay-thread.ts'
import type { LegIndex, RelayThreadData, ToRelayThread } from './worker-protocol.ts'

/** A relay whose thread is the test, with a clock that is set by hand. */
class RelayWithoutThread {
  readonly relay: Relay
  readonly posted: ToRelayThread[] = []
  readonly dead: LegIndex[] = []
  starts = 0
  nowMs = 5_000_000
  listeners!: Parameters<StartRelayThread>[1]
  private data!: RelayThreadData

  constructor(maxCalls = 3) {
    this.relay = createRelay({
      config: { ...LOOPBACK_SETTINGS, maxCalls },
      log: pino({ level: 'silent' }),
      metrics: createMetrics(),
      now: () => this.nowMs,
      startThread: (data, listeners) => {
        this.starts++
        this.data = data
        this.listeners = listeners
        return { post: (message) => this.posted.push(message), terminate: () => {} }
      },
    })
  }

  open() {
    const call = this.relay.openCall((leg) => this.dead.push(leg))
    if (!call) throw new Error('the call was refused')
    return call
  }

  /** The thread has had a valid check of this leg. */
  check(slot: number, leg: LegIndex): void {
    this.state.recordCheck(slot, leg, this.nowMs)
  }

  get state(): SharedRelayState {
    return new SharedRelayState(this.data.maxCalls, this.data.buffer)
  }

  /** Lets time pass, second by second. */
  wait(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.nowMs += 1_000
      vi.advanceTimersByTime(1_000)
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a call of the relay', () => {
  it('[RELAY-11] is dead 20 s after the last valid check of a leg, and is reported once', () => {
    const test = new RelayWithoutThread()
    const call = test.open()
    test.wait(5)
    test.check(0, 0)
    test.check(0, 1)
    expect(call.legs.map((leg) => leg.idleMs())).toEqual([0, 0])
    test.wait(12)
    test.check(0, 0)
    test.wait(8)
    expect(call.legs.map((leg) => leg.idleMs())).toEqual([8_000, 20_000])
    expect(test.dead).toEqual([])
    test.wait(1)
    expect(test.dead).toEqual([1])
    expect(test.state.isOpen(0)).toBe(false)
    expect(test.posted.at(-1)).toEqual({ kind: 'close', slot: 0 })
    test.wait(100)
    expect(test.dead).toEqual([1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('[RELAY-11] is dead after 30 s if no check of a leg ever came', () => {
    const test = new RelayWithoutThread()
    const call = test.open()
    for (let second = 0; second < 30; second++) {
      test.check(0, 0)
      test.wait(1)
    }
    expect(call.legs[1].idleMs()).toBeNull()
    expect(test.dead).toEqual([])
    test.wait(1)
    expect(test.dead).toEqual([1])
  })

  it('[RELAY-11] lives as long as both legs check', () => {
    const test = new RelayWithoutThread()
    const call = test.open()
    for (let minute = 0; minute < 240; minute++) {
      test.check(0, 0)
      test.check(0, 1)
      test.wait(15)
    }
    expect(test.dead).toEqual([])
    call.close()
    test.wait(100)
    expect(test.dead).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('[RELAY-11] measures idle time rightly where 32 bits of milliseconds wrap', () => {
    const test = new RelayWithoutThread()
    test.nowMs = 2 ** 31 - 1_500
    const call = test.open()
    test.check(0, 0)
    test.wait(3)
    expect(call.legs[0].idleMs()).toBe(3_000)
    test.nowMs = 2 ** 32
    test.check(0, 1)
    test.wait(1)
    expect(call.legs[1].idleMs()).toBeGreaterThan(900)
  })

  it('[RELAY-02] has other credentials than any call before, of the lengths that ICE asks for', () => {
    const test = new RelayWithoutThread()
    const seen = new Set<string>()
    for (let round = 0; round < 100; round++) {
      const call = test.open()
      const all = [...call.legs.map(({ credentials }) => credentials), call.legs[0].restart()]
      for (const { usernameFragment, password } of all) {
        expect(usernameFragment).toMatch(/^[A-Za-z0-9+/]{8}$/)
        expect(password).toMatch(/^[A-Za-z0-9+/]{24}$/)
        seen.add(usernameFragment).add(password)
      }
      call.close()
      test.listeners.onMessage({ kind: 'freed', slot: 0 })
    }
    expect(seen.size).toBe(600)
  })

  it('[RELAY-17] gives its slot to another call only after the thread has forgotten it', () => {
    const test = new RelayWithoutThread(1)
    const call = test.open()
    test.check(0, 0)
    expect(call.legs[0].idleMs()).toBe(0)
    call.close()
    call.legs[0].restart()
    expect(test.posted.map(({ kind }) => kind)).toEqual(['open', 'close'])
    expect(test.relay.openCall(() => {})).toBeNull()
    test.listeners.onMessage({ kind: 'freed', slot: 0 })
    expect(test.open().legs[0].idleMs()).toBeNull()
    call.close()
    expect(test.state.isOpen(0)).toBe(true)
  })
})

describe('a worker of the relay', () => {
  it('[RELAY-21] that dies ends its calls, each once, and is started again by a later call', () => {
    const test = new RelayWithoutThread()
    const calls = [test.open(), test.open()]
    test.listeners.onExit(new Error('killed by a test'))
    expect(test.dead).toEqual([0, 0])
    for (const call of calls) call.close()
    expect(test.relay.openCall(() => {})).toBeNull()
    test.wait(2)
    test.open()
    expect(test.starts).toBe(2)
    expect(test.dead).toEqual([0, 0])
  })

  it('[RELAY-21] whose free port was taken tries another one with the next call', () => {
    const test = new RelayWithoutThread()
    test.open()
    test.listeners.onMessage({ kind: 'bindFailed', code: 'EADDRINUSE', host: '127.0.0.1', port: 1 })
    test.listeners.onExit(null)
    expect(test.dead).toEqual([0])
    test.open()
    expect(test.starts).toBe(2)
  })

  it('[RELAY-19] is not started by createRelay', () => {
    expect(new RelayWithoutThread().starts).toBe(0)
  })
})
