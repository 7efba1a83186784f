import type { Note, RingTone } from './ring-tones.ts'

/** A note sets in this fast, so that it does not click. */
const ATTACK_S = 0.012
/** Bells have a soft overtone. */
const OVERTONE = { ratio: 2.005, volume: 0.16 }
const SILENCE = 0.0001

/**
 * Plays a tone until the returned function is called. Browsers keep a page silent before its first press: then it begins
 * with that click, and nothing throws.
 */
export function playTone(tone: RingTone): () => void {
  const context = openContext()
  if (!context) return () => {}
  const playing = new AbortController()
  const master = context.createGain()
  master.connect(context.destination)
  const playPhrase = (): void => {
    // Notes of a context that stands still would all sound when it begins.
    if (context.state === 'running') for (const note of tone.notes) playNote(context, master, note)
  }
  const resume = (): void => void context.resume().then(playPhrase, () => {})
  if (context.state === 'running') playPhrase()
  else {
    resume()
    for (const name of ['pointerdown', 'keydown'])
      addEventListener(name, () => context.state !== 'running' && resume(), { capture: true, signal: playing.signal })
  }
  const timer = tone.periodS === null ? undefined : setInterval(playPhrase, tone.periodS * 1000)
  return () => {
    playing.abort()
    clearInterval(timer)
    void context.close().catch(() => {})
  }
}

/** null where the browser has no Web Audio, or has too many contexts open. */
function openContext(): AudioContext | null {
  try {
    return new AudioContext()
  } catch {
    return null
  }
}

function playNote(context: AudioContext, output: AudioNode, { atS, frequencyHz, lengthS, volume }: Note): void {
  const startsAt = context.currentTime + atS
  playPartial(context, output, { frequencyHz, startsAt, lengthS, volume })
  const overtone = { frequencyHz: frequencyHz * OVERTONE.ratio, volume: volume * OVERTONE.volume }
  playPartial(context, output, { ...overtone, startsAt, lengthS: lengthS / 2 })
}

interface TonePartial {
  frequencyHz: number
  /** In the context's time. */
  startsAt: number
  lengthS: number
  volume: number
}

function playPartial(
  context: AudioContext,
  output: AudioNode,
  { frequencyHz, startsAt, lengthS, volume }: TonePartial,
): void {
  const oscillator = new OscillatorNode(context, { type: 'sine', frequency: frequencyHz })
  const envelope = new GainNode(context, { gain: 0 })
  envelope.gain.setValueAtTime(SILENCE, startsAt)
  envelope.gain.exponentialRampToValueAtTime(volume, startsAt + ATTACK_S)
  envelope.gain.exponentialRampToValueAtTime(SILENCE, startsAt + lengthS)
  oscillator.connect(envelope).connect(output)
  oscillator.start(startsAt)
  oscillator.stop(startsAt + lengthS)
}
