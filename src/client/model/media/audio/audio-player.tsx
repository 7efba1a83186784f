import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { WAVEFORM_BARS } from '../../../../shared/media/media.ts'
import { computed } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { ReloadIcon } from '../../../core/ui/lazy-icons.tsx'
import { PauseIcon, PlayIcon } from '../icons.tsx'
import { type AudioTrack, type PlayerState, RESTING_PLAYER } from './audio-playback.ts'
import { audioTime } from './audio-time.ts'
import { audioPlayback } from './playback.ts'
import './audio-player.lazy.css'

const MIN_STEP_MS = 1_000

interface AudioPlayerProps {
  url: string
  /** null where it is not known: the file is decoded for it when it is played. */
  durationMs: number | null
  /** Loudness in 20 parts, 0 to 100; null draws equal bars. */
  waveform: readonly number[] | null
  /** Names the player for screen readers. */
  label: string
}

/** The player of an audio message (specification 1, point 2). Another one that starts pauses it. */
export function AudioPlayer({ url, durationMs, waveform, label }: AudioPlayerProps): ReactNode {
  const track = useMemo(() => ({ url, durationMs }), [url, durationMs])
  const state = usePlayerState(url)
  useForgottenWithFile(url)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a box of its own
    <div className="audio-player" role="group" aria-label={label} data-status={state.status}>
      <PlayButton track={track} status={state.status} />
      {state.status === 'failed' ? (
        <p className="grow danger small" role="alert">
          Ses yüklenemedi.
        </p>
      ) : (
        <PositionSlider track={track} state={state} waveform={waveform} />
      )}
      <SpeedButton />
    </div>
  )
}

function usePlayerState(url: string): PlayerState {
  const state = useMemo(() => computed(() => audioPlayback.players.value.get(url) ?? RESTING_PLAYER), [url])
  return useSignalValue(state, RESTING_PLAYER)
}

/** A local file is there only while its player is shown; one of the server plays on. */
function useForgottenWithFile(url: string): void {
  useEffect(() => (url.startsWith('blob:') ? () => audioPlayback.forget(url) : undefined), [url])
}

function PlayButton({ track, status }: { track: AudioTrack; status: PlayerState['status'] }): ReactNode {
  const isOn = status === 'playing' || status === 'loading'
  const [label, Icon] = isOn ? ['Duraklat', PauseIcon] : ['Oynat', PlayIcon]
  return (
    <button
      type="button"
      aria-label={status === 'failed' ? 'Tekrar dene' : label}
      aria-busy={status === 'loading'}
      onClick={() => (isOn ? audioPlayback.pause() : audioPlayback.play(track))}
    >
      {status === 'failed' ? <ReloadIcon /> : <Icon />}
    </button>
  )
}

interface PositionSliderProps {
  track: AudioTrack
  state: PlayerState
  waveform: readonly number[] | null
}

/** The bars and the time: the position once it has started, the duration before. */
function PositionSlider({ track, state, waveform }: PositionSliderProps): ReactNode {
  const totalMs = state.durationMs ?? track.durationMs ?? 0
  const positionMs = Math.min(state.positionMs, totalMs || state.positionMs)
  const isStarted = positionMs > 0 || state.status === 'playing'
  return (
    <div className="stack gap-half grow">
      <SeekBar
        positionMs={positionMs}
        totalMs={totalMs}
        waveform={waveform}
        onSeek={(targetMs) => audioPlayback.seek(track, targetMs)}
      />
      <span className="audio-time" aria-hidden="true">
        {audioTime(isStarted ? positionMs : totalMs)}
      </span>
    </div>
  )
}

interface SeekBarProps {
  positionMs: number
  totalMs: number
  waveform: readonly number[] | null
  onSeek: (targetMs: number) => void
}

/** The bars, filled up to the position. A click, a drag and the keys of a slider move it. */
function SeekBar({ positionMs, totalMs, waveform, onSeek }: SeekBarProps): ReactNode {
  const slider = useRef<HTMLDivElement>(null)
  useOwnTouches(slider)
  const seekTo = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onSeek(Math.min(Math.max((clientX - left) / width, 0), 1) * totalMs)
  }
  const seekByKey = (event: KeyboardEvent): void => {
    const targetMs = positionAfterKey(event.key, positionMs, totalMs)
    if (targetMs === null) return
    event.preventDefault()
    onSeek(targetMs)
  }
  const played = { '--played': totalMs > 0 ? positionMs / totalMs : 0 } as CSSProperties // a custom property
  return (
    <div
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label="Konum"
      aria-valuemin={0}
      aria-valuemax={Math.floor(totalMs / 1000)}
      aria-valuenow={Math.floor(positionMs / 1000)}
      aria-valuetext={`${audioTime(positionMs)}, toplam ${audioTime(totalMs)}`}
      style={played}
      onKeyDown={seekByKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
    >
      <Bars waveform={waveform} />
      <Bars waveform={waveform} />
    </div>
  )
}

/** A finger on the bars moves the position, and does not swipe the message. */
function useOwnTouches(slider: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = slider
    const keep = (event: TouchEvent): void => event.stopPropagation()
    current?.addEventListener('touchstart', keep, { passive: true })
    return () => current?.removeEventListener('touchstart', keep)
  }, [slider])
}

/** Twice in a player: the second time cut off at the position. */
const Bars = memo(function Bars({ waveform }: { waveform: readonly number[] | null }): ReactNode {
  return (
    <span>
      {Array.from({ length: WAVEFORM_BARS }, (_, bar) => (
        <i key={bar} style={{ height: `${waveform?.[bar] ?? 0}%` }} />
      ))}
    </span>
  )
})

function SpeedButton(): ReactNode {
  const speed = useSignalValue(audioPlayback.speed, 1)
  return (
    <button type="button" aria-label={`Hız: ${speed}x`} onClick={() => audioPlayback.changeSpeed()}>
      {speed}x
    </button>
  )
}

/** The position after a key of a slider (ARIA slider pattern): a bar or a second, whichever is longer; null for other keys. */
export function positionAfterKey(key: string, positionMs: number, totalMs: number): number | null {
  const stepMs = Math.max(totalMs / WAVEFORM_BARS, MIN_STEP_MS)
  const targets: Record<string, number> = {
    ArrowRight: positionMs + stepMs,
    ArrowUp: positionMs + stepMs,
    ArrowLeft: positionMs - stepMs,
    ArrowDown: positionMs - stepMs,
    PageUp: positionMs + 4 * stepMs,
    PageDown: positionMs - 4 * stepMs,
    Home: 0,
    End: totalMs,
  }
  const target = targets[key]
  return target === undefined ? null : Math.min(Math.max(target, 0), totalMs)
}
