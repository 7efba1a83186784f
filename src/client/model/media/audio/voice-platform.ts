import { decodeAudio } from './decode-audio.ts'
import type { Capture, CaptureListener, VoicePlatform } from './voice-recording.ts'
import type { VoiceFailure, VoiceFormat } from './voice-state.ts'
import { levelOf, waveformOf } from './waveform.ts'

/** Clear for speech with Opus; ten minutes have 2.4 MB. */
const BITS_PER_SECOND = 32_000
const DATA_INTERVAL_MS = 1_000
/** Number of samples that give the current loudness: 21 ms at 48 kHz. */
const LEVEL_SAMPLES = 1024
/** Only one window or tab of this browser holds it. */
const RECORDING_LOCK = 'voice-recording'

export const browserVoicePlatform: VoicePlatform = {
  // Both are missing where the page has no TLS, too.
  isSupported: () => 'MediaRecorder' in window && 'mediaDevices' in navigator,
  supportsFormat: (format) => MediaRecorder.isTypeSupported(format),
  openMicrophone,
  decode: async (blob) => decodeAudio(await blob.arrayBuffer()),
  waveformOf,
  now: () => performance.now(),
}

async function openMicrophone(): Promise<Capture | VoiceFailure> {
  const releaseLock = await acquireLock()
  if (!releaseLock) return 'recordingElsewhere'
  let stream: MediaStream | null = null
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: { ideal: 1 } } })
    return new MicrophoneCapture(stream, releaseLock)
  } catch (error) {
    // The browser may give the microphone, and then fail to measure it.
    if (stream) stopTracks(stream)
    releaseLock()
    const isMissing = error instanceof DOMException && ['NotFoundError', 'OverconstrainedError'].includes(error.name)
    return isMissing ? 'noMicrophone' : 'noAccess'
  }
}

/** Resolves with the function that releases the lock; null when another window holds it. */
function acquireLock(): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null): Promise<void> => {
      if (!lock) return Promise.resolve(resolve(null))
      return new Promise((release) => resolve(release))
    }
    navigator.locks.request(RECORDING_LOCK, { ifAvailable: true }, hold).catch(reject)
  })
}

class MicrophoneCapture implements Capture {
  private readonly stream: MediaStream
  private readonly releaseLock: () => void
  private readonly context = new AudioContext()
  private readonly analyser = this.context.createAnalyser()
  private readonly samples = new Float32Array(LEVEL_SAMPLES)
  private readonly parts: Blob[] = []
  private recorder: MediaRecorder | null = null
  private isReleased = false

  constructor(stream: MediaStream, releaseLock: () => void) {
    this.stream = stream
    this.releaseLock = releaseLock
    this.analyser.fftSize = LEVEL_SAMPLES
    this.context.createMediaStreamSource(stream).connect(this.analyser)
  }

  record(format: VoiceFormat, { onData, onLost }: CaptureListener): void {
    const recorder = new MediaRecorder(this.stream, { mimeType: format, audioBitsPerSecond: BITS_PER_SECOND })
    let totalBytes = 0
    recorder.ondataavailable = ({ data }) => {
      this.parts.push(data)
      totalBytes += data.size
      onData(totalBytes)
    }
    recorder.onstop = () => !this.isReleased && onLost()
    for (const track of this.stream.getTracks()) track.onended = () => recorder.state !== 'inactive' && recorder.stop()
    recorder.start(DATA_INTERVAL_MS)
    this.recorder = recorder
  }

  pause(): void {
    this.recorder?.pause()
  }

  resume(): void {
    this.recorder?.resume()
  }

  finish(): Promise<Blob> {
    const { recorder } = this
    const [type] = (recorder?.mimeType ?? '').split(';')
    const join = (): Blob => new Blob(this.parts, { type: type ?? '' })
    if (!recorder || recorder.state === 'inactive') return Promise.resolve(join())
    return new Promise((resolve) => {
      recorder.addEventListener('stop', () => resolve(join()))
      recorder.stop()
    })
  }

  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    stopTracks(this.stream)
    void this.context.close()
    this.releaseLock()
  }

  level(): number {
    this.analyser.getFloatTimeDomainData(this.samples)
    return levelOf(this.samples)
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
