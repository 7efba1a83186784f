import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediaSamples } from '../../testing/fixtures/test-media.ts'
import { createVideo, createWebmVideo } from '../../testing/fixtures/test-videos.ts'
import { readVideoInfo } from './video-info.ts'

const nothing = { durationMs: null, width: null, height: null }

describe('what a video says of itself', () => {
  it.each([0, 1] as const)('[POST-04] is read from the boxes of an MP4, version %i', (version) => {
    const info = { durationMs: 12_500, width: 1280, height: 720 }
    expect(readVideoInfo(createVideo({ ...info, version }), 'mp4')).toEqual(info)
    const turned = createVideo({ ...info, version, isTurned: true })
    expect(readVideoInfo(turned, 'mp4')).toEqual({ durationMs: 12_500, width: 720, height: 1280 })
  })

  it('[POST-04] is read from the elements of a WebM', () => {
    const info = { durationMs: 3_250, width: 640, height: 360 }
    expect(readVideoInfo(createWebmVideo(info), 'webm')).toEqual(info)
    expect(readVideoInfo(createWebmVideo({ ...info, durationMs: 0 }), 'webm')).toEqual({ ...info, durationMs: null })
  })

  it('[POST-04] is nothing where the file says nothing', () => {
    expect(readVideoInfo(mediaSamples.mp4, 'mp4')).toEqual(nothing)
    expect(readVideoInfo(mediaSamples.webmVideo, 'webm')).toEqual(nothing)
    expect(readVideoInfo(new Uint8Array(), 'mp4')).toEqual(nothing)
    expect(readVideoInfo(new Uint8Array(), 'webm')).toEqual(nothing)
  })

  it('[POST-04] is nothing for a size that no picture has', () => {
    const info = { durationMs: 1_000, width: 65_536, height: 360 }
    expect(readVideoInfo(createWebmVideo(info), 'webm')).toEqual({ ...info, width: null })
  })

  it('[POST-04] is whole numbers or nothing of any bytes', () => {
    const info = { durationMs: 1_000, width: 640, height: 360 }
    const samples = [createVideo({ ...info, version: 0 }), createVideo({ ...info, version: 1 }), createWebmVideo(info)]
    const damaged = fc
      .tuple(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 20 }))
      .map(([sample, changes]) => {
        const bytes = Buffer.from(sample)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        return bytes
      })
    fc.assert(
      fc.property(damaged, fc.constantFrom('mp4', 'webm'), (bytes, extension) => {
        const numbers = Object.values(readVideoInfo(bytes, extension))
        expect(numbers.every((value) => value === null || (Number.isSafeInteger(value) && value > 0))).toBe(true)
      }),
    )
  })
})
