import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES } from '../../../../shared/media/rules.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import type { DecodedAudio } from './decode-audio.ts'
import { type Capture, type CaptureListener, VoiceRecording } from './voice-recording.ts'
import { MAX_VOICE_MS, nextVoiceState, VOICE_FORMATS, type VoiceFailure, type VoiceState } from './voice-state.ts'

const BLOB = new Blob(['sound'], { type: 'audio/webm' })

/** A microphone that records what it is asked for. */
class FakeCapture implements Capture {
  readonly calls: string[] = []
  format = ''
  listener: CaptureListener | null = null

  record(format: string, listener: CaptureListener): void {
    this.format = format
    this.listener = listener
  }
  pause = () => void this.calls.push('pause')
  resume = () => void this.calls.push('resume')
  release = () => void this.calls.push('release')
  level = () => 0.5
  finish = async (): Promise<Blob> => {
    this.calls.push('finish')
    return BLOB
  }
}

let now: number
let formats: readonly string[]
let isSupported: boolean
let decoded: DecodedAudio | null
let capture: FakeCapture
let opening: PromiseWithResolvers<Capture | VoiceFailure>
let recording: VoiceRecording

beforeEach(() => {
  now = 1_000
  formats = VOICE_FORMATS
  isSupported = true
  decoded = { durationMs: 3_960, samples: Float32Array.of(0.5) }
  capture = new FakeCapture()
  opening = Promise.withResolvers()
  recording = new VoiceRecording({
    isSupported: () => isSupported,
    supportsFormat: (format) => formats.includes(format),
    openMicrophone: () => opening.promise,
    decode: async () => decoded,
    waveformOf: () => [100],
    now: () => now,
  })
})

const state = (): VoiceState => recording.state.value
async function startRecording(): Promise<void> {
  const started = recording.start()
  opening.resolve(capture)
  await started
}

describe('the states of a recording', () => {
  it('[DM-43] [DM-44] fails and closes the microphone when the browser does not start the recorder', async () => {
    capture.record = () => {
      throw new DOMException('no encoder', 'NotSupportedError')
    }
    await startRecording()
    expect(state()).toEqual({ name: 'failed', failure: 'unsupportedFormat' })
    expect(capture.calls).toEqual(['release'])
  })

  it('[DM-42] records, pauses, resumes and stops, and counts the time without the pauses', async () => {
    expect(state().name).toBe('idle')
    await startRecording()
    expect(state().name).toBe('recording')
    now += 2_000
    recording.pause()
    expect(state().name).toBe('paused')
    now += 60_000
    expect([recording.recordedMs(), recording.level()]).toEqual([2_000, 0])
    recording.resume()
    now += 1_500
    expect([recording.recordedMs(), recording.level()]).toEqual([3_500, 0.5])
    await recording.stop()
    expect(state()).toEqual({
      name: 'stopped',
      ending: 'pressed',
      note: { blob: BLOB, durationMs: 3_960, waveform: [100] },
    })
    expect(capture.calls).toEqual(['pause', 'resume', 'finish', 'release'])
    recording.end()
    expect(state().name).toBe('idle')
  })

  it('[DM-42] ignores events that do not belong to a state', () => {
    const idle: VoiceState = { name: 'idle' }
    const paused: VoiceState = { name: 'paused', earlierMs: 5 }
    for (const name of ['pause', 'resume', 'opened'] as const) expect(nextVoiceState(idle, { name, at: 1 })).toBe(idle)
    expect(nextVoiceState(idle, { name: 'stop', ending: 'pressed' })).toBe(idle)
    expect(nextVoiceState(paused, { name: 'start' })).toBe(paused)
    expect(nextVoiceState(paused, { name: 'pause', at: 9 })).toBe(paused)
    expect(nextVoiceState(paused, { name: 'fail', failure: 'noAccess' })).toBe(paused)
    expect(nextVoiceState(paused, { name: 'end' })).toEqual(idle)
  })
})

describe('the microphone', () => {
  it('[DM-44] is closed when a recording is cancelled, also before it was open', async () => {
    await startRecording()
    recording.end()
    expect(capture.calls).toEqual(['release'])

    opening = Promise.withResolvers()
    capture = new FakeCapture()
    const started = recording.start()
    recording.end()
    opening.resolve(capture)
    await started
    expect([state().name, capture.calls]).toEqual(['idle', ['release']])
  })

  it('[DM-44] that is lost ends the recording, of which all until then is kept', async () => {
    await startRecording()
    capture.listener?.onLost()
    await flushPromises()
    expect(state()).toMatchObject({ name: 'stopped', ending: 'microphoneLost' })
    expect(capture.calls).toEqual(['finish', 'release'])
  })

  it('[DM-44] that is open is not opened a second time', async () => {
    await startRecording()
    await recording.start()
    expect([state().name, capture.calls]).toEqual(['recording', []])
  })
})

describe('a recording that fails', () => {
  it('[DM-43] has the first supported format', async () => {
    await startRecording()
    expect(capture.format).toBe('audio/webm;codecs=opus')
    recording.end()
    formats = ['audio/ogg', 'audio/ogg;codecs=opus']
    await startRecording()
    expect(capture.format).toBe('audio/ogg;codecs=opus')
  })

  it('[DM-43] tells an unsupported browser, an unsupported format and a microphone that does not open', async () => {
    isSupported = false
    await recording.start()
    expect(state()).toEqual({ name: 'failed', failure: 'unsupportedBrowser' })
    isSupported = true
    formats = ['audio/mp4']
    await recording.start()
    expect(state()).toEqual({ name: 'failed', failure: 'unsupportedFormat' })
    formats = VOICE_FORMATS
    opening.resolve('noAccess')
    await recording.start()
    expect(state()).toEqual({ name: 'failed', failure: 'noAccess' })
  })

  it('[DM-43] tells an unreadable duration, and can be made again', async () => {
    decoded = null
    await startRecording()
    await recording.stop()
    expect(state()).toEqual({ name: 'failed', failure: 'unreadableDuration' })
    expect(capture.calls).toContain('release')
    await startRecording()
    expect(state().name).toBe('recording')
  })

  it('[DM-42] stays cancelled when its duration is read later', async () => {
    await startRecording()
    const stopped = recording.stop()
    recording.end()
    await stopped
    expect(state().name).toBe('idle')
  })
})

describe('the limit of a recording', () => {
  it('[DM-45] is 10 minutes without pauses', async () => {
    await startRecording()
    now += MAX_VOICE_MS - 1_000
    capture.listener?.onData(2_000_000)
    expect(state().name).toBe('recording')
    now += 1_000
    capture.listener?.onData(2_004_000)
    await flushPromises()
    expect(state()).toMatchObject({ name: 'stopped', ending: 'limitReached' })
  })

  it('[DM-45] is reached before a file may be no larger', async () => {
    await startRecording()
    capture.listener?.onData(MAX_FILE_BYTES - 1024 * 1024)
    expect(state().name).toBe('recording')
    capture.listener?.onData(MAX_FILE_BYTES - 64 * 1024)
    await flushPromises()
    expect(state()).toMatchObject({ name: 'stopped', ending: 'limitReached' })
  })
})
