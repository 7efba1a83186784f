import { describe, expect, it } from 'vitest'
import { positionAfterKey } from './audio-player.tsx'
import { audioTime } from './audio-time.ts'
import { audioSourcesOf } from './playback.ts'
import { waveformOf } from './waveform.ts'

const SAMPLE_COUNT = 8_000

/** Samples in 20 equal parts, each with the given loudness. */
function samplesOf(loudness: (bar: number) => number): Float32Array {
  return Float32Array.from({ length: SAMPLE_COUNT }, (_, index) => {
    const sign = index % 2 === 0 ? 1 : -1
    return sign * loudness(Math.floor((index * 20) / SAMPLE_COUNT))
  })
}

describe('the waveform of a voice note', () => {
  it('[DM-46] has the loudness of 20 equal parts, 100 for the loudest', () => {
    const rising = waveformOf(samplesOf((bar) => (bar + 1) / 40))
    expect(rising).toEqual(Array.from({ length: 20 }, (_, bar) => (bar + 1) * 5))
    const onePart = waveformOf(samplesOf((bar) => (bar === 7 ? 0.3 : 0)))
    expect(onePart.map((level, bar) => level > 0 && bar)).toEqual(onePart.map((_, bar) => bar === 7 && 7))
  })

  it('[DM-46] is flat for silence and for a file shorter than its bars', () => {
    expect(waveformOf(samplesOf(() => 0.001))).toEqual(new Array(20).fill(0))
    expect(waveformOf(new Float32Array(0))).toEqual(new Array(20).fill(0))
    expect(waveformOf(Float32Array.of(0.5, -0.5))).toHaveLength(20)
  })
})

describe('the audio player', () => {
  it('[DM-47] shows times as m:ss', () => {
    expect([0, 999, 1_000, 59_999, 60_000, 600_000].map(audioTime)).toEqual([
      '0:00',
      '0:00',
      '0:01',
      '0:59',
      '1:00',
      '10:00',
    ])
  })

  it('[DM-47] offers every file as webm and ogg, first as what its name says', () => {
    const typesOf = (url: string) => audioSourcesOf(url).map(({ type }) => type)
    expect(audioSourcesOf('/uploads/a.webm')).toEqual([
      { src: '/uploads/a.webm', type: 'audio/webm' },
      { src: '/uploads/a.webm', type: 'audio/ogg' },
    ])
    expect(typesOf('/uploads/a.ogg')).toEqual(['audio/ogg', 'audio/webm'])
    expect(typesOf('blob:http://meydan.test/1')).toEqual(['audio/webm', 'audio/ogg'])
    expect(typesOf('/uploads/a.m4a')).toEqual(['audio/mp4', 'audio/webm', 'audio/ogg'])
  })

  it('[DM-47] is moved by the keys of a slider, a bar or a second at a time, and not beyond its ends', () => {
    const moved = (key: string, from = 30_000) => positionAfterKey(key, from, 60_000)
    expect([moved('ArrowRight'), moved('ArrowLeft'), moved('PageUp')]).toEqual([33_000, 27_000, 42_000])
    expect([moved('Home'), moved('End'), moved('ArrowRight', 59_000), moved('ArrowLeft', 1_000)]).toEqual([
      0, 60_000, 60_000, 0,
    ])
    expect(positionAfterKey('ArrowRight', 0, 4_000)).toBe(1_000)
    expect(moved('a')).toBeNull()
  })
})
