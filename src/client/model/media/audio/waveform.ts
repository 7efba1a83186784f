import { WAVEFORM_BARS } from '../../../../shared/media/media.ts'

/** Below this the loudest part is taken for silence, so that noise is not drawn as speech. */
const QUIET_LEVEL = 0.005

/** Loudness of 20 equal parts of the samples (-1 to 1), from 0 to 100; the loudest part has 100. */
export function waveformOf(samples: Float32Array): number[] {
  const levels = Array.from({ length: WAVEFORM_BARS }, (_, bar) => {
    const from = Math.floor((bar * samples.length) / WAVEFORM_BARS)
    const to = Math.floor(((bar + 1) * samples.length) / WAVEFORM_BARS)
    return levelOf(samples.subarray(from, to))
  })
  const loudest = Math.max(...levels)
  return levels.map((level) => (loudest < QUIET_LEVEL ? 0 : Math.round((level / loudest) * 100)))
}

/** The root mean square of samples; 0 without any. */
export function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}
