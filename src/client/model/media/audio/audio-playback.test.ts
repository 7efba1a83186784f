import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeEnvironment, flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { type AudioOutputListener, AudioPlayback } from './audio-playback.ts'

const ONE = { url: '/uploads/one.webm', durationMs: 4_000 }
const OTHER = { url: '/uploads/other.webm', durationMs: 9_000 }

/** A fake audio element: it records calls, and a test emits its events. */
const output = { load: vi.fn(), play: vi.fn(), pause: vi.fn(), seek: vi.fn(), setSpeed: vi.fn() }
const fetchDuration = vi.fn<(url: string) => Promise<number | null>>()
let element: AudioOutputListener
let environment: FakeEnvironment
let playback: AudioPlayback

function createPlayback(): AudioPlayback {
  const openOutput = (listener: AudioOutputListener) => {
    element = listener
    return output
  }
  return new AudioPlayback({ openOutput, fetchDuration, storage: environment.browserStorage })
}

const stateOf = ({ url }: { url: string }) => playback.players.value.get(url)

beforeEach(() => {
  vi.resetAllMocks()
  environment = new FakeEnvironment()
  playback = createPlayback()
})

describe('the playback of audio messages', () => {
  it('[DM-48] plays one file at a time, and goes on where a paused one was', () => {
    playback.play(ONE)
    element.onPlaying()
    element.onPosition(1_500)
    playback.play(OTHER)
    expect(output.pause).toHaveBeenCalledOnce()
    expect(stateOf(ONE)).toMatchObject({ status: 'paused', positionMs: 1_500 })
    expect(stateOf(OTHER)).toMatchObject({ status: 'loading', positionMs: 0 })
    element.onPlaying()
    playback.play(ONE)
    expect(output.load.mock.calls).toEqual([
      [ONE.url, 0],
      [OTHER.url, 0],
      [ONE.url, 1_500],
    ])
    expect(stateOf(OTHER)?.status).toBe('paused')
  })

  it('[DM-47] is paused at 0 after the end, and plays again without another load', () => {
    playback.play(ONE)
    element.onPlaying()
    element.onPosition(3_900)
    element.onPaused()
    element.onEnded()
    expect(stateOf(ONE)).toMatchObject({ status: 'paused', positionMs: 0 })
    expect(output.seek).toHaveBeenLastCalledWith(0)
    playback.play(ONE)
    expect(output.load).toHaveBeenCalledOnce()
  })

  it('[DM-47] decodes a file for its duration only where neither the element nor the message tells it', async () => {
    fetchDuration.mockResolvedValue(7_000)
    playback.play(ONE)
    element.onLoaded(null)
    playback.play({ ...OTHER, durationMs: null })
    element.onLoaded(8_500)
    await flushPromises()
    expect(fetchDuration).not.toHaveBeenCalled()
    expect([stateOf(ONE)?.durationMs, stateOf(OTHER)?.durationMs]).toEqual([4_000, 8_500])

    const untold = { url: '/uploads/untold.ogg', durationMs: null }
    playback.play(untold)
    element.onLoaded(null)
    await flushPromises()
    expect(fetchDuration.mock.calls).toEqual([[untold.url]])
    expect(stateOf(untold)?.durationMs).toBe(7_000)
  })

  it('[DM-47] shows a file that fails, and loads it again on the next click', () => {
    playback.play(ONE)
    element.onFailed()
    expect(stateOf(ONE)?.status).toBe('failed')
    playback.pause()
    expect(stateOf(ONE)?.status).toBe('failed')
    playback.play(ONE)
    expect(output.load).toHaveBeenCalledTimes(2)
    expect(stateOf(ONE)?.status).toBe('loading')
  })

  it('[DM-47] moves the file that plays, and starts one that rests where it was moved to', () => {
    playback.seek(OTHER, 6_000)
    expect(output.seek).not.toHaveBeenCalled()
    playback.play(ONE)
    playback.seek(ONE, 2_000)
    expect(output.seek).toHaveBeenLastCalledWith(2_000)
    playback.play(OTHER)
    expect(output.load).toHaveBeenLastCalledWith(OTHER.url, 6_000)
  })

  it('[DM-48] changes the speed of all files, and remembers it in the browser', () => {
    playback.play(ONE)
    const speeds = Array.from({ length: 3 }, () => {
      playback.changeSpeed()
      return playback.speed.value
    })
    expect(speeds).toEqual([1.5, 2, 1])
    playback.changeSpeed()
    expect(output.setSpeed).toHaveBeenLastCalledWith(1.5)
    expect(createPlayback().speed.value).toBe(1.5)
    environment.browserStorage.set('audioSpeed', '17')
    expect(createPlayback().speed.value).toBe(1)
  })

  it('[DM-48] stops a file that is gone, and everything when the session ends', () => {
    playback.play(ONE)
    element.onPosition(1_000)
    playback.forget(OTHER.url)
    expect(output.pause).not.toHaveBeenCalled()
    playback.forget(ONE.url)
    expect(output.pause).toHaveBeenCalledOnce()
    // What the element still reports belongs to no file.
    element.onPaused()
    expect(playback.players.value.size).toBe(0)
    playback.play(OTHER)
    playback.reset()
    expect(output.pause).toHaveBeenCalledTimes(2)
    expect(playback.players.value.size).toBe(0)
  })
})
