/** A note of a tone: when it begins, in seconds of the phrase, and its frequency in Hz. */
export interface Note {
  atS: number
  frequencyHz: number
  /** How long it rings out, in seconds. */
  lengthS: number
  /** From 0 to 1. */
  volume: number
}

export interface RingTone {
  notes: readonly Note[]
  /** The phrase repeats after this; null: it sounds once. */
  periodS: number | null
}

/** Notes of D major, so that two tones of one moment are never out of tune. */
const [D4, A4, D5, E5, FSHARP5, A5] = [293.66, 440, 587.33, 659.25, 739.99, 880]

/** What the callee hears: a rising phrase like a doorbell's, twice, then a pause. */
const incoming: RingTone = {
  notes: [0, 1.05].flatMap((startS) => [
    { atS: startS, frequencyHz: D5, lengthS: 0.7, volume: 0.5 },
    { atS: startS + 0.16, frequencyHz: FSHARP5, lengthS: 0.7, volume: 0.5 },
    { atS: startS + 0.32, frequencyHz: A5, lengthS: 0.9, volume: 0.55 },
    { atS: startS + 0.56, frequencyHz: E5, lengthS: 1.1, volume: 0.4 },
  ]),
  periodS: 3.6,
}

/** What the caller hears while it rings: one soft low fifth, and a long pause. */
const outgoing: RingTone = {
  notes: [
    { atS: 0, frequencyHz: D4, lengthS: 1.1, volume: 0.22 },
    { atS: 0.02, frequencyHz: A4, lengthS: 1.1, volume: 0.18 },
  ],
  periodS: 3.2,
}

/** A call that has ended or was declined. */
const ended: RingTone = {
  notes: [
    { atS: 0, frequencyHz: A4, lengthS: 0.35, volume: 0.25 },
    { atS: 0.16, frequencyHz: D4, lengthS: 0.5, volume: 0.25 },
  ],
  periodS: null,
}

export const ringTones = { incoming, outgoing, ended } as const
