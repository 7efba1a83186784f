import { browserEnvironment } from '../../../core/platform/environment.ts'
import { session } from '../../../core/session/session.ts'
import { type AudioOutput, type AudioOutputListener, AudioPlayback } from './audio-playback.ts'
import { fetchAudioDuration } from './decode-audio.ts'
import { playOneAtATime } from './play-one-at-a-time.ts'

interface AudioSource {
  src: string
  type: string
}

/** The formats in which every source is offered (specification 1, point 2). */
const OFFERED_TYPES = ['audio/webm', 'audio/ogg']

const typeOfExtension: Record<string, string> = {
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}
/** What a browser without audio shows (specification 1, point 2). */
const UNSUPPORTED_TEXT = 'Your browser does not support the audio element.'
/** A position is reported when it has moved this far: less is not visible. */
const POSITION_STEP_MS = 40

/** The playback of this tab. Its element is outside of the page's components, so it plays on when they go. */
export const audioPlayback = new AudioPlayback({
  openOutput: openAudioElement,
  fetchDuration: fetchAudioDuration,
  storage: browserEnvironment.browserStorage,
})
session.onClear(() => audioPlayback.reset())

function openAudioElement(listener: AudioOutputListener): AudioOutput {
  const audio = document.createElement('audio')
  audio.preload = 'metadata'
  document.body.append(audio)
  listenTo(audio, listener)
  playOneAtATime()
  return {
    load(url, fromMs) {
      audio.replaceChildren(...createSources(url, listener), UNSUPPORTED_TEXT)
      audio.load()
      if (fromMs > 0) audio.currentTime = fromMs / 1000
    },
    play() {
      const sources = [...audio.children]
      audio.play().catch((error: DOMException) => {
        // A pause or another file came before the first sound.
        const isReplaced = !audio.contains(sources[0] ?? null)
        if (error.name === 'AbortError' || isReplaced) return
        if (error.name === 'NotAllowedError') listener.onPaused()
        else listener.onFailed()
      })
    },
    pause: () => audio.pause(),
    seek(positionMs) {
      audio.currentTime = positionMs / 1000
    },
    setSpeed(speed) {
      audio.defaultPlaybackRate = speed
      audio.playbackRate = speed
    },
  }
}

/** The file in each format that is offered. The last one that fails is reported: none is left. */
function createSources(url: string, { onFailed }: AudioOutputListener): HTMLElement[] {
  const sources = audioSourcesOf(url).map((source) => Object.assign(document.createElement('source'), source))
  const last = sources.at(-1)
  last?.addEventListener('error', () => last.isConnected && onFailed())
  return sources
}

function listenTo(audio: HTMLAudioElement, listener: AudioOutputListener): void {
  let reportedMs = 0
  const report = (): void => {
    const positionMs = audio.currentTime * 1000
    if (Math.abs(positionMs - reportedMs) < POSITION_STEP_MS || audio.ended) return
    reportedMs = positionMs
    listener.onPosition(positionMs)
  }
  const follow = (): void => {
    report()
    if (!audio.paused) requestAnimationFrame(follow)
  }
  audio.addEventListener('playing', () => {
    listener.onPlaying()
    follow()
  })
  // Firefox still waits after the last source has failed, for instance without a sound device.
  audio.addEventListener('waiting', () => audio.networkState !== audio.NETWORK_NO_SOURCE && listener.onWaiting())
  // The pause before another file arrives after that file has started.
  audio.addEventListener('pause', () => audio.paused && listener.onPaused())
  audio.addEventListener('ended', () => listener.onEnded())
  audio.addEventListener('error', () => listener.onFailed())
  audio.addEventListener('loadedmetadata', () => {
    listener.onLoaded(Number.isFinite(audio.duration) ? audio.duration * 1000 : null)
  })
}

/** The sources of an audio file: first with the type of its extension, then as webm and ogg. */
export function audioSourcesOf(url: string): AudioSource[] {
  const own = typeOfExtension[/\.(\w+)$/.exec(url)?.[1] ?? '']
  return [...new Set([...(own ? [own] : []), ...OFFERED_TYPES])].map((type) => ({ src: url, type }))
}
