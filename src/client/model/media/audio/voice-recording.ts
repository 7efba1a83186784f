import { MAX_FILE_BYTES } from '../../../../shared/media/rules.ts'
import { type ReadonlySignal, signal } from '../../../core/signals/signal.ts'
import type { DecodedAudio } from './decode-audio.ts'
import {
  MAX_VOICE_MS,
  nextVoiceState,
  recordedMs,
  VOICE_FORMATS,
  type VoiceEnding,
  type VoiceEvent,
  type VoiceFailure,
  type VoiceFormat,
  type VoiceState,
} from './voice-state.ts'

/** What came last may still be written when the limit is noticed. */
const MAX_VOICE_BYTES = MAX_FILE_BYTES - 256 * 1024

export interface CaptureListener {
  /** Called about once a second, with the bytes so far. */
  onData(totalBytes: number): void
  /** The microphone was unplugged, or its permission taken away. */
  onLost(): void
}

/** An open microphone and its recorder. */
export interface Capture {
  record(format: VoiceFormat, listener: CaptureListener): void
  pause(): void
  resume(): void
  /** Ends the recording and resolves with all of it. */
  finish(): Promise<Blob>
  /** Stops the microphone. A second call does nothing. */
  release(): void
  /** The present loudness, 0 to 1. */
  level(): number
}

/** What a recording uses of the browser. */
export interface VoicePlatform {
  isSupported(): boolean
  supportsFormat(format: VoiceFormat): boolean
  openMicrophone(): Promise<Capture | VoiceFailure>
  decode(blob: Blob): Promise<DecodedAudio | null>
  waveformOf(samples: Float32Array): readonly number[]
  /** Monotonic milliseconds. */
  now(): number
}

/** Records a voice note. The microphone is open only while it records or is paused. */
export class VoiceRecording {
  readonly state: ReadonlySignal<VoiceState>
  private readonly current = signal<VoiceState>({ name: 'idle' })
  private readonly platform: VoicePlatform
  private capture: Capture | null = null
  /** Changes when a recording begins or ends: what was asked for before then is ignored. */
  private generation = 0

  constructor(platform: VoicePlatform) {
    this.platform = platform
    this.state = this.current
  }

  /** Opens the microphone and records. */
  async start(): Promise<void> {
    if (!['idle', 'failed'].includes(this.current.peek().name)) return
    this.apply({ name: 'start' })
    const generation = ++this.generation
    if (!this.platform.isSupported()) return this.apply({ name: 'fail', failure: 'unsupportedBrowser' })
    const format = VOICE_FORMATS.find((each) => this.platform.supportsFormat(each))
    if (!format) return this.apply({ name: 'fail', failure: 'unsupportedFormat' })
    const opened = await this.platform.openMicrophone()
    if (typeof opened === 'string') {
      if (generation === this.generation) this.apply({ name: 'fail', failure: opened })
      return
    }
    if (generation !== this.generation) return opened.release()
    this.record(opened, format)
  }

  pause(): void {
    if (this.current.peek().name !== 'recording') return
    this.capture?.pause()
    this.apply({ name: 'pause', at: this.platform.now() })
  }

  resume(): void {
    if (this.current.peek().name !== 'paused') return
    this.capture?.resume()
    this.apply({ name: 'resume', at: this.platform.now() })
  }

  /** Ends the recording and reads its duration and loudness. */
  async stop(ending: VoiceEnding = 'pressed'): Promise<void> {
    const { capture, generation } = this
    if (!capture) return
    this.capture = null
    this.apply({ name: 'stop', ending })
    const finishing = capture.finish()
    capture.release()
    const blob = await finishing
    const decoded = await this.platform.decode(blob)
    if (generation !== this.generation) return
    if (!decoded) return this.apply({ name: 'fail', failure: 'unreadableDuration' })
    const { durationMs, samples } = decoded
    this.apply({ name: 'read', note: { blob, durationMs, waveform: this.platform.waveformOf(samples) } })
  }

  /** Cancels or discards the recording in any state. */
  end(): void {
    this.generation++
    this.capture?.release()
    this.capture = null
    this.apply({ name: 'end' })
  }

  recordedMs(): number {
    return recordedMs(this.current.peek(), this.platform.now())
  }

  /** The present loudness, 0 to 1; 0 while nothing is recorded. */
  level(): number {
    return this.current.peek().name === 'recording' ? (this.capture?.level() ?? 0) : 0
  }

  private record(capture: Capture, format: VoiceFormat): void {
    try {
      capture.record(format, {
        onData: (totalBytes) => this.checkLimit(totalBytes),
        onLost: () => void this.stop('microphoneLost'),
      })
    } catch (error) {
      // A browser may refuse what it said to support.
      console.warn(error)
      capture.release()
      this.apply({ name: 'fail', failure: 'unsupportedFormat' })
      return
    }
    this.capture = capture
    this.apply({ name: 'opened', at: this.platform.now() })
  }

  private checkLimit(totalBytes: number): void {
    if (totalBytes >= MAX_VOICE_BYTES || this.recordedMs() >= MAX_VOICE_MS) void this.stop('limitReached')
  }

  private apply(event: VoiceEvent): void {
    this.current.value = nextVoiceState(this.current.peek(), event)
  }
}
