import type { MediaType } from '../../../../shared/media/media.ts'

/** A file that is ready to be sent in a message. */
export interface OutgoingFile {
  blob: Blob
  name: string
  mediaType: MediaType
  /** A picture of a video; null where the browser could make none. */
  poster: Blob | null
  /** Pixels of a picture or video; null where they are unknown. */
  width: number | null
  height: number | null
  durationMs: number | null
  /** Loudness of a recording in `WAVEFORM_BARS` parts, 0 to 100. */
  waveform: readonly number[] | null
}
