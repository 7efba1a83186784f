import { afterEach, describe, expect, it, vi } from 'vitest'
import { playTone } from './play-tone.ts'
import { ringTones } from './ring-tones.ts'

/** A context of Web Audio that counts its oscillators. */
class FakeContext {
  static opened: FakeContext[] = []
  state: AudioContextState = 'suspended'
  started = 0
  readonly currentTime = 0
  readonly destination = {}
  private resumed: (() => void) | null = null

  constructor() {
    FakeContext.opened.push(this)
  }

  createGain() {
    return { connect: () => {} }
  }

  resume(): Promise<void> {
    return new Promise((resolve) => {
      this.resumed = resolve
    })
  }

  /** What the browser does at the first click. */
  async unlock(): Promise<void> {
    this.state = 'running'
    this.resumed?.()
    await Promise.resolve()
  }

  async close(): Promise<void> {
    this.state = 'closed'
  }
}

class FakeGain {
  readonly gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }
  connect(next: object): object {
    return next
  }
}

class FakeOscillator extends FakeGain {
  private readonly context: FakeContext
  constructor(context: FakeContext) {
    super()
    this.context = context
  }
  start(): void {
    this.context.started++
  }
  stop(): void {}
}

function stubAudio(): void {
  FakeContext.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('AudioContext', FakeContext)
  vi.stubGlobal('GainNode', FakeGain)
  vi.stubGlobal('OscillatorNode', FakeOscillator)
  vi.stubGlobal('addEventListener', () => {})
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the tone of a call', () => {
  it('[CALLUI-08] is silent until the browser allows sound, and repeats until it is stopped', async () => {
    stubAudio()
    const stop = playTone(ringTones.incoming)
    const [context] = FakeContext.opened
    if (!context) return expect.unreachable('a context is opened')
    vi.advanceTimersByTime(10_000)
    expect(context.started).toBe(0)
    await context.unlock()
    const phrase = context.started
    expect(phrase).toBeGreaterThan(0)
    vi.advanceTimersByTime(3_600)
    expect(context.started).toBe(2 * phrase)
    stop()
    expect(context.state).toBe('closed')
    vi.advanceTimersByTime(20_000)
    expect(context.started).toBe(2 * phrase)
  })

  it('[CALLUI-08] is left out where the browser has no Web Audio', () => {
    vi.stubGlobal('AudioContext', undefined)
    expect(() => playTone(ringTones.outgoing)()).not.toThrow()
  })

  it.each(Object.entries(ringTones))(
    '[CALLUI-08] %s ends before it repeats, at a bearable volume',
    (_, { notes, periodS }) => {
      for (const { atS, lengthS, volume } of notes) {
        expect(volume).toBeGreaterThan(0)
        expect(volume).toBeLessThanOrEqual(0.6)
        if (periodS !== null) expect(atS + lengthS).toBeLessThan(periodS)
      }
    },
  )
})
