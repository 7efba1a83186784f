import { type RefObject, useEffect } from 'react'
import { prefersStill } from '../../../core/ui/prefers-still.ts'
import { levelOf } from '../../../model/media/audio/waveform.ts'

/** Speech seldom fills the scale: this loudness does. */
const FULL_LEVEL = 0.25
const SAMPLES = 512

/**
 * Keeps the level of the microphone, from 0 to 1, in the property `--call-level` of an element: without a redraw by React.
 * Where the system asks for less motion it stays at 0.
 */
export function useMicrophoneLevel(element: RefObject<HTMLElement | null>, stream: MediaStream | null): void {
  useEffect(() => {
    const { current } = element
    if (!current || !stream?.getAudioTracks().length) return
    if (prefersStill()) return
    const meter = openMeter(stream)
    let frame = 0
    const show = (): void => {
      current.style.setProperty('--call-level', String(Math.round(meter.level() * 50) / 50))
      frame = requestAnimationFrame(show)
    }
    show()
    return () => {
      cancelAnimationFrame(frame)
      current.style.removeProperty('--call-level')
      meter.close()
    }
  }, [element, stream])
}

function openMeter(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: SAMPLES })
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(SAMPLES)
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples)
      return Math.min(1, levelOf(samples) / FULL_LEVEL)
    },
    close: () => void context.close(),
  }
}
