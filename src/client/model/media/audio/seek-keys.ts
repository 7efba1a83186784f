import { WAVEFORM_BARS } from '../../../../shared/media/media.ts'

const MIN_STEP_MS = 1_000

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
