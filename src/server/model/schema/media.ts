import type { Generated } from 'kysely'
import type { MediaType } from '../../../shared/media/media.ts'
import type { FileId, UserId } from '../../../shared/protocol/ids.ts'

/** A file that was uploaded for messages of one kind. Each kind has a table with these columns. */
export interface MessageMediaColumns {
  id: Generated<number>
  ownerId: UserId
  mediaType: MediaType
  /** Names below `/uploads/`. */
  originalPath: string
  thumbnailPath: string | null
  sizeBytes: number
  width: number | null
  height: number | null
  durationMs: number | null
  /** A WebP picture of a few pixels, in base64. */
  blur: string | null
  /** 20 numbers from 0 to 100, comma-separated. */
  waveform: string | null
  createdAt: number
  /** The Idempotency-Key of its upload. */
  clientId: string | null
  /** The row is deleted then; null while a message uses the file, or a report keeps it. */
  expiresAt: number | null
}

export interface MediaTables {
  file: { id: Generated<FileId>; hash: string; size: number; at: number; unreferencedSince: Generated<number | null> }
}
