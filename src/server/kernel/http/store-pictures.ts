import type { PersonLimit } from '../../../shared/protocol/define.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transaction.ts'
import { dailyUploadLimits } from '../limits/daily-uploads.ts'
import { addressCharges } from './address-charges.ts'
import type { NodeContext } from './node-app.ts'

export interface PictureUpload {
  actor: Actor
  context: NodeContext
  bytes: Uint8Array
  /** Edges of the squares within which the picture is stored, in pixels, the largest first. */
  sides: readonly [number, ...number[]]
  /** Uploads of one address, counted before the picture is decoded. */
  addressLimit: PersonLimit
}

/**
 * Encodes a picture as WebP without metadata in one or more sizes and stores them, within the daily bytes of the user and
 * the address. Resolves with their hashes. Refuses with RateLimited, UnsupportedMediaType, TooLarge or Busy.
 */
export async function storePictures(appContext: AppContext, upload: PictureUpload): Promise<string[] | Refusal> {
  const { config, personLimiters, clock, pictures, files } = appContext
  const { actor, context, bytes, sides, addressLimit } = upload
  const uploadWaitMs = personLimiters.consumeAll(addressCharges(config, context, addressLimit, 1), clock())
  if (uploadWaitMs > 0) return refuse('RateLimited', { waitMs: uploadWaitMs })
  const encoded = await pictures.encodeInSizes(bytes, sides)
  if (encoded instanceof Refusal) return encoded
  const points = encoded.reduce((sum, { length }) => sum + length, 0)
  const perDay = dailyUploadLimits(config)
  const byteCharges = [
    { limit: perDay.ofUser, key: actor.userId, points },
    ...addressCharges(config, context, perDay.ofAddress, points),
  ]
  const waitMs = personLimiters.consumeAll(byteCharges, clock())
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const hashes: string[] = []
  for (const picture of encoded) {
    const stored = await files.put(picture)
    if (stored instanceof Refusal) return stored
    hashes.push(stored.hash)
  }
  return hashes
}
