import type { FileExtension, FileType } from '../../../shared/media/file-types.ts'
import { ADDRESS_MEDIA_BYTES_LIMIT, ADDRESS_MEDIA_LIMIT, MEDIA_BYTES_LIMIT } from '../../../shared/media/limits.ts'
import type { MediaType } from '../../../shared/media/media.ts'
import { MAX_FILE_BYTES, MEDIA_TYPE_REFUSED, picturePath, uploadPath } from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressCharges } from '../../kernel/http/address-charges.ts'
import { type CallWithFile, type RequestFile, withRequestFile } from '../../kernel/http/request-file.ts'
import { dailyUploadLimits } from '../../kernel/limits/daily-uploads.ts'
import type { AddMedia } from './transactions.ts'

/** A call of a route whose input has `mediaFields` (shared/media/upload-form.ts) and whose files are `media` and `poster`. */
export interface MediaUploadCall extends CallWithFile {
  input: CallWithFile['input'] & {
    durationMs?: number | undefined
    width?: number | undefined
    height?: number | undefined
    waveform?: number[] | undefined
  }
  clientId: string | undefined
}

type MediaDetails = Omit<AddMedia, 'clientId' | 'originalPath' | 'thumbnailPath' | 'sizeBytes'>

/** What an upload stores, before it is stored. */
interface PreparedMedia extends MediaDetails {
  original: Pick<RequestFile, 'sizeBytes' | 'content'>
  extension: FileExtension
  /** A WebP picture. */
  thumbnail: Uint8Array | null
}

/** What the feature of the route decides and writes. */
interface MediaTarget<T extends object> {
  /** The refusal of a file of this type; null where it may be uploaded. Nothing is stored before. */
  check?(mediaType: MediaType): Refusal | null
  /** Adds the row of the stored file. */
  add(media: AddMedia): Promise<T | Refusal>
}

/**
 * Stores the file of a form for a message. The uploads of an address are counted before pictures are encoded, and the bytes
 * before anything is stored.
 */
export async function storeMediaUpload<T extends object>(
  appContext: AppContext,
  call: MediaUploadCall,
  { check = () => null, add }: MediaTarget<T>,
): Promise<T | Refusal> {
  const { config, personLimiters, clock } = appContext
  const { clientId = crypto.randomUUID() } = call
  const charges = addressCharges(config, call.context, ADDRESS_MEDIA_LIMIT, 1)
  const uploadWaitMs = personLimiters.consumeAll(charges, clock())
  if (uploadWaitMs > 0) return refuse('RateLimited', { waitMs: uploadWaitMs })
  return withRequestFile(appContext, call, { field: 'media', maxBytes: MAX_FILE_BYTES }, async (file) => {
    const type = await file.readType()
    if (!type) return refuse('UnsupportedMediaType', { message: MEDIA_TYPE_REFUSED, path: 'media' })
    const refusal = check(type.mediaType)
    if (refusal) return refusal
    const prepared = await prepareMedia(appContext, call, file, type)
    if (prepared instanceof Refusal) return prepared
    const { original, extension, thumbnail, ...details } = prepared
    const sizeBytes = original.sizeBytes + (thumbnail?.length ?? 0)
    const waitMs = consumeBytes(appContext, call, sizeBytes)
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const paths = await storeFiles(appContext, prepared)
    if (paths instanceof Refusal) return paths
    return add({ ...details, ...paths, sizeBytes, clientId })
  })
}

/** Encodes the picture of the file, or its poster. Details that its type does not have are dropped. */
async function prepareMedia(
  { pictures }: AppContext,
  { input, files }: MediaUploadCall,
  file: RequestFile,
  { mediaType, extension }: FileType,
): Promise<PreparedMedia | Refusal> {
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
  { config, personLimiters, clock }: AppContext,
  { actor, context }: MediaUploadCall,
  points: number,
): number {
  const perDay = dailyUploadLimits(config)
  const charges = [
    { limit: MEDIA_BYTES_LIMIT, key: actor.userId, points },
    { limit: perDay.ofUser, key: actor.userId, points },
    ...addressCharges(config, context, ADDRESS_MEDIA_BYTES_LIMIT, points),
    ...addressCharges(config, context, perDay.ofAddress, points),
  ]
  return personLimiters.consumeAll(charges, clock())
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
