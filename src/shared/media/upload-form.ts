import * as v from 'valibot'
import { MAX_MEDIA_DURATION_MS, MAX_MEDIA_EDGE_PX } from './limits.ts'
import { parseWaveform, waveformPattern } from './media.ts'
import { UploadId } from './resumable-uploads.ts'

/** A positive whole number in a form. */
export const WholeNumberText = (max: number) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.toNumber(), v.maxValue(max))
/** The bars of an audio file in a form: a JSON array of whole numbers from 0 to 100. */
const WaveformText = v.pipe(v.string(), v.regex(waveformPattern), v.transform(parseWaveform))

/** The fields of a form with a file for a message. `width` and `height` are those of a video. */
export const mediaFields = {
  uploadId: v.optional(UploadId),
  durationMs: v.optional(WholeNumberText(MAX_MEDIA_DURATION_MS)),
  width: v.optional(WholeNumberText(MAX_MEDIA_EDGE_PX)),
  height: v.optional(WholeNumberText(MAX_MEDIA_EDGE_PX)),
  waveform: v.optional(WaveformText),
}

/** What such a route accepts, for its description. */
export const MEDIA_FORM_TEXT =
  '`media`, at most 20 MB, or the `uploadId` of a finished upload, and `poster`, a picture of a video. The type is read from ' +
  'the bytes. Pictures (JPEG, PNG, WebP, GIF, AVIF) are re-encoded; video (MP4, QuickTime, WebM) and audio (WebM, Ogg, MP4, ' +
  'MP3, WAV) are stored as they are. `width` and `height` are those of a video. A file that no message uses is deleted after a day.'
