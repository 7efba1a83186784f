import type { SafeStorage } from '../../../core/platform/environment.ts'
import { type ReadonlySignal, signal } from '../../../core/signals/signal.ts'

/** What a player shows of its file. */
export interface PlayerState {
  /** `loading`: it plays as soon as the browser has enough of the file. */
  status: 'paused' | 'loading' | 'playing' | 'failed'
  positionMs: number
  /** Known once the file was loaded. */
  durationMs: number | null
}

export const RESTING_PLAYER: PlayerState = { status: 'paused', positionMs: 0, durationMs: null }

export interface AudioTrack {
  url: string
  /** null where the message does not tell it. */
  durationMs: number | null
}

/** The one element that plays. */
export interface AudioOutput {
  /** Replaces the file, and plays it from the position once `play` is called. */
  load(url: string, fromMs: number): void
  play(): void
  pause(): void
  seek(positionMs: number): void
  setSpeed(speed: number): void
}

/** What the element reports of its present file. */
export interface AudioOutputListener {
  onPlaying(): void
  onPaused(): void
  onWaiting(): void
  onEnded(): void
  onFailed(): void
  onPosition(positionMs: number): void
  /** null: the element has no finite duration. */
  onLoaded(durationMs: number | null): void
}

/** What the playback uses of the browser. */
interface PlaybackPlatform {
  openOutput(listener: AudioOutputListener): AudioOutput
  /** Decodes the file for its duration in milliseconds; null when it cannot. */
  fetchDuration(url: string): Promise<number | null>
  storage: SafeStorage
}

const PLAYBACK_SPEEDS = [1, 1.5, 2] as const
const SPEED_KEY = 'audioSpeed'

/** Plays audio messages, one at a time. It outlives the players that show it. */
export class AudioPlayback {
  readonly players: ReadonlySignal<ReadonlyMap<string, PlayerState>>
  readonly speed: ReadonlySignal<number>
  private readonly states = signal<ReadonlyMap<string, PlayerState>>(new Map())
  private readonly chosenSpeed = signal<number>(PLAYBACK_SPEEDS[0])
  private readonly platform: PlaybackPlatform
  private output: AudioOutput | null = null
  /** The file that the element has loaded; null before the first one. */
  private current: AudioTrack | null = null

  constructor(platform: PlaybackPlatform) {
    this.platform = platform
    this.players = this.states
    this.speed = this.chosenSpeed
    const stored = Number(platform.storage.get(SPEED_KEY))
    this.chosenSpeed.value = PLAYBACK_SPEEDS.find((speed) => speed === stored) ?? PLAYBACK_SPEEDS[0]
  }

  /** Plays a file from where its player is, and pauses the one that plays. */
  play(track: AudioTrack): void {
    const { status, positionMs } = this.stateOf(track.url)
    this.output ??= this.openOutput()
    if (this.current?.url !== track.url || status === 'failed') {
      this.pause()
      this.current = track
      this.output.load(track.url, positionMs)
    }
    this.update({ status: 'loading' })
    this.output.setSpeed(this.chosenSpeed.peek())
    this.output.play()
  }

  /** Pauses what plays. */
  pause(): void {
    if (!this.current || this.stateOf(this.current.url).status === 'failed') return
    this.output?.pause()
    this.update({ status: 'paused' })
  }

  /** Moves a player; one that rests starts there when it is played. */
  seek({ url }: AudioTrack, positionMs: number): void {
    if (this.current?.url === url) this.output?.seek(positionMs)
    this.updateOf(url, { positionMs })
  }

  /** Ends a file that is there no longer. */
  forget(url: string): void {
    if (this.current?.url === url) {
      this.pause()
      this.current = null
    }
    const rest = new Map(this.states.peek())
    if (rest.delete(url)) this.states.value = rest
  }

  /** Stops playback and forgets its source, so that the next user of this tab cannot play it. */
  reset(): void {
    this.pause()
    this.current = null
    this.states.value = new Map()
  }

  /** The next speed, for all files, remembered in this browser. */
  changeSpeed(): void {
    const speed = PLAYBACK_SPEEDS.find((each) => each > this.chosenSpeed.peek()) ?? PLAYBACK_SPEEDS[0]
    this.chosenSpeed.value = speed
    this.output?.setSpeed(speed)
    this.platform.storage.set(SPEED_KEY, String(speed))
  }

  private openOutput(): AudioOutput {
    return this.platform.openOutput({
      onPlaying: () => this.update({ status: 'playing' }),
      onPaused: () => this.update({ status: 'paused' }),
      onWaiting: () => this.update({ status: 'loading' }),
      onEnded: () => {
        this.output?.seek(0)
        this.update({ status: 'paused', positionMs: 0 })
      },
      onFailed: () => this.update({ status: 'failed' }),
      onPosition: (positionMs) => this.update({ positionMs }),
      onLoaded: (durationMs) => void this.learnDuration(durationMs),
    })
  }

  /** The duration of the element; else that of the message; else that of the decoded file. */
  private async learnDuration(ofElement: number | null): Promise<void> {
    const { current } = this
    if (!current) return
    const known = ofElement ?? current.durationMs ?? this.stateOf(current.url).durationMs
    const durationMs = known ?? (await this.platform.fetchDuration(current.url))
    // It may have been forgotten during the fetch.
    if (durationMs !== null && this.states.peek().has(current.url)) this.updateOf(current.url, { durationMs })
  }

  private stateOf(url: string): PlayerState {
    return this.states.peek().get(url) ?? RESTING_PLAYER
  }

  private update(change: Partial<PlayerState>): void {
    if (this.current) this.updateOf(this.current.url, change)
  }

  private updateOf(url: string, change: Partial<PlayerState>): void {
    this.states.value = new Map(this.states.peek()).set(url, { ...this.stateOf(url), ...change })
  }
}
