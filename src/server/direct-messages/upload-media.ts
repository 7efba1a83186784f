import {
  ADDRESS_MEDIA_BYTES_LIMIT,
  ADDRESS_MEDIA_LIMIT,
  MEDIA_BYTES_LIMIT,
} from '../../shared/direct-messages/limits.ts'
import { routes } from '../../shared/direct-messages/protocol.ts'
import type { FileExtension } from '../../shared/media/file-types.ts'
import { MAX_FILE_BYTES, MEDIA_TYPE_REFUSED, picturePath, uploadPath } from '../../shared/media/rules.ts'
import type { PersonLimit } from '../../shared/protocol/define.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { addressGroup, attributableAddress } from '../http/client-address.ts'
import { type RequestFile, withRequestFile } from '../http/request-file.ts'
import { type NodeApp, type RouteCall, registerRoute } from '../http/route.ts'
import { dailyUploadLimits } from '../limits/daily-uploads.ts'
import type { Charge } from '../limits/person-limiters.ts'
import type { Settings } from '../settings.ts'
import { type AddMedia, addMedia } from './add-media.ts'

type Call = RouteCall<typeof routes.uploadDirectMedia>
type MediaDetails = Omit<AddMedia, 'clientId' | 'originalPath' | 'thumbnailPath' | 'sizeBytes'>

/** What an upload stores, before it is stored. */
interface PreparedMedia extends MediaDetails {
  original: Pick<RequestFile, 'sizeBytes' | 'content'>
  extension: FileExtension
  /** A WebP picture. */
  thumbnail: Uint8Array | null
}

/**
 * `POST /dm/upload-media`. The uploads of an address are counted before pictures are encoded, and the bytes before
 * anything is stored.
 */
export function uploadMediaRoute(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.uploadDirectMedia, async (call) => {
    const { actor, clientId = crypto.randomUUID() } = call
    const { settings, personLimiters, clock } = appContext
    const charges = addressCharges(settings, call.context, ADDRESS_MEDIA_LIMIT, 1)
    const uploadWaitMs = personLimiters.consumeAll(charges, clock())
    if (uploadWaitMs > 0) return refuse('RateLimited', { waitMs: uploadWaitMs })
    return withRequestFile(appContext, call, { field: 'media', maxBytes: MAX_FILE_BYTES }, async (file) => {
      const prepared = await prepareMedia(appContext, call, file)
      if (prepared instanceof Refusal) return prepared
      const { original, extension, thumbnail, ...details } = prepared
      const sizeBytes = original.sizeBytes + (thumbnail?.length ?? 0)
      const waitMs = consumeBytes(appContext, call, sizeBytes)
      if (waitMs > 0) return refuse('RateLimited', { waitMs })
      const paths = await storeFiles(appContext, prepared)
      if (paths instanceof Refusal) return paths
      return appContext.execute(addMedia, actor, { ...details, ...paths, sizeBytes, clientId })
    })
  })
}

/** Reads the type of the file, and encodes its picture or its poster. Details that its type does not have are dropped. */
async function prepareMedia(
  { pictures }: AppContext,
  { input, files }: Call,
  file: RequestFile,
): Promise<PreparedMedia | Refusal> {
  const type = await file.readType()
  if (!type) return refuse('UnsupportedMediaType', { message: MEDIA_TYPE_REFUSED, path: 'media' })
  const { mediaType, extension } = type
  const { durationMs = null, waveform = null, width, height } = input
  const noPicture = { thumbnail: null, blur: null, width: null, height: null }
  if (mediaType === 'audio') return { mediaType, extension, original: file, ...noPicture, durationMs, waveform }
  const source = mediaType === 'image' ? await file.readAll() : files.get('poster')
  const picture = source instanceof Refusal || !source ? source : await pictures.encodeForMessage(source)
  if (picture instanceof Refusal) return picture
  if (mediaType === 'image' && picture) {
    const { original, ...shown } = picture
    const stored = { sizeBytes: original.length, content: () => original }
    return { mediaType, extension, original: stored, ...shown, durationMs: null, waveform: null }
  }
  const shown = picture ?? noPicture
  const size = width && height ? { width, height } : { width: shown.width, height: shown.height }
  const { thumbnail, blur } = shown
  return { mediaType, extension, original: file, thumbnail, blur, ...size, durationMs, waveform: null }
}

/** Takes the bytes that an upload stores from its user and address. Returns 0, or the milliseconds until there are enough. */
function consumeBytes(
  { settings, personLimiters, clock }: AppContext,
  { actor, context }: Call,
  points: number,
): number {
  const perDay = dailyUploadLimits(settings)
  const charges = [
    { limit: MEDIA_BYTES_LIMIT, key: actor.userId, points },
    { limit: perDay.ofUser, key: actor.userId, points },
    ...addressCharges(settings, context, ADDRESS_MEDIA_BYTES_LIMIT, points),
    ...addressCharges(settings, context, perDay.ofAddress, points),
  ]
  return personLimiters.consumeAll(charges, clock())
}

/** The charge of the sender's address; none if it cannot be attributed. */
function addressCharges(settings: Settings, { env }: Call['context'], limit: PersonLimit, points: number): Charge[] {
  const address = attributableAddress(settings, env.incoming)
  return address === null ? [] : [{ limit, key: addressGroup(address), points }]
}

/** Resolves with the names below `/uploads/`. */
async function storeFiles(
  { files }: AppContext,
  { original, extension, thumbnail }: PreparedMedia,
): Promise<Pick<AddMedia, 'originalPath' | 'thumbnailPath'> | Refusal> {
  const storedThumbnail = thumbnail && (await files.put(thumbnail))
  if (storedThumbnail instanceof Refusal) return storedThumbnail
  const stored = await files.put(original.content())
  if (stored instanceof Refusal) return stored
  return {
    originalPath: uploadPath(stored.hash, extension),
    thumbnailPath: storedThumbnail && picturePath(storedThumbnail.hash),
  }
}
