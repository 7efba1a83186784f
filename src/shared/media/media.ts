import * as v from 'valibot'
import { Count } from '../protocol/define.ts'

export const MediaType = v.picklist(['image', 'video', 'audio'])
export type MediaType = v.InferOutput<typeof MediaType>

/** Bars of the waveform of an audio message (specification 1, point 2). */
export const WAVEFORM_BARS = 20

/** A waveform in a form: a JSON array of whole numbers from 0 to 100. */
const bar = '(?:100|[1-9]?\\d)'
export const waveformPattern = new RegExp(`^\\[${bar}(?:, ?${bar}){${WAVEFORM_BARS - 1}}\\]$`)

/** The bars of a text that has `waveformPattern`. */
export function parseWaveform(text: string): number[] {
  return JSON.parse(text) as number[] // the pattern allows nothing else
}

/** A file in a message (specification 1, point 3). Paths are below the site's root: `/uploads/...`. */
export const Media = v.object({
  mediaId: Count,
  mediaType: MediaType,
  originalPath: v.string(),
  /** A small picture: of an image, or the poster of a video. */
  thumbnailPath: v.nullable(v.string()),
  /** Pixels of the picture or video, so that its place is reserved. */
  width: v.nullable(Count),
  height: v.nullable(Count),
  durationMs: v.nullable(Count),
  /** A WebP picture of a few pixels in base64, shown until the thumbnail is loaded. */
  blur: v.nullable(v.string()),
  /** Loudness of an audio message in 20 parts, 0 to 100. */
  waveform: v.nullable(v.pipe(v.array(Count), v.length(WAVEFORM_BARS))),
})
export type Media = v.InferOutput<typeof Media>
