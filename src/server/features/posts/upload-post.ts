import { detectFileType, type FileExtension } from '../../../shared/media/file-types.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, picturePath, uploadPath } from '../../../shared/media/rules.ts'
import { MAX_VIDEO_BYTES, MAX_VIDEO_DURATION_MS, MAX_VIDEO_EDGE_PX } from '../../../shared/posts/limits.ts'
import { routes } from '../../../shared/posts/protocol.ts'
import { canPost } from '../../../shared/posts/rules.ts'
import {
  fileTypeRefusals,
  POST_FILE_MISSING_TEXT,
  PREMIUM_REQUIRED_TEXT,
  VIDEO_TOO_LARGE_TEXT,
  VIDEO_TOO_LONG_TEXT,
  VIDEO_UNREADABLE_TEXT,
} from '../../../shared/posts/texts.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { type RequestFile, withRequestFile } from '../../kernel/http/request-file.ts'
import { type RouteCall, registerRoute } from '../../kernel/http/route.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { createPost, type NewPost } from './create-post.ts'
import { consumePostLimit, consumeUploadLimit } from './post-limits.ts'
import { readVideoInfo } from './video-info.ts'

type Call = RouteCall<typeof routes.createPost>

/** What a post stores, before it is stored; the pictures are WebP. */
interface PreparedPost extends Pick<NewPost, 'width' | 'height' | 'durationMs' | 'blur'> {
  original: Pick<RequestFile, 'sizeBytes' | 'content'>
  extension: FileExtension
  medium: Uint8Array | null
  thumbnail: Uint8Array | null
}

const sizeLimits = {
  photo: { maxBytes: MAX_FILE_BYTES, tooLarge: FILE_TOO_LARGE },
  video: { maxBytes: MAX_VIDEO_BYTES, tooLarge: VIDEO_TOO_LARGE_TEXT },
} as const

/** `POST /posts`. Uploads of an address are counted before pictures are encoded, posts and bytes before anything is stored. */
export function uploadPostRoute(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.createPost, async (call) => {
    const { actor, context, clientId, input } = call
    const user = appContext.reader.get(userById, { id: actor.userId })
    if (!user || !canPost(toUserSummary(user, appContext.clock())))
      return refuse('Forbidden', { message: PREMIUM_REQUIRED_TEXT })
    const tooMany = consumeUploadLimit(appContext, actor, context)
    if (tooMany) return tooMany
    if (!call.files.has('file') && input.uploadId === undefined)
      return refuse('InvalidInput', { message: POST_FILE_MISSING_TEXT, path: 'file' })
    return withRequestFile(appContext, call, { field: 'file', ...sizeLimits[input.type] }, async (file) => {
      const prepared = await preparePost(appContext, call, file)
      if (prepared instanceof Refusal) return prepared
      const { original, extension, medium, thumbnail, ...details } = prepared
      const sizeBytes = original.sizeBytes + (medium?.length ?? 0) + (thumbnail?.length ?? 0)
      const limited = consumePostLimit(appContext, actor, context, sizeBytes)
      if (limited) return limited
      const paths = await storeFiles(appContext, prepared)
      if (paths instanceof Refusal) return paths
      const { type, description } = input
      return appContext.execute(createPost, actor, { type, description, ...details, ...paths, sizeBytes }, { clientId })
    })
  })
}

/** Checks that the file has the chosen type by its bytes, and encodes the photo or the poster of the video. */
async function preparePost(appContext: AppContext, call: Call, file: RequestFile): Promise<PreparedPost | Refusal> {
  const sample = await file.readSample()
  const type = detectFileType(sample)
  const expected = call.input.type === 'photo' ? 'image' : 'video'
  if (type?.mediaType !== expected)
    return refuse('UnsupportedMediaType', { message: fileTypeRefusals[call.input.type], path: 'file' })
  if (expected === 'video') return prepareVideo(appContext, call, { file, sample, extension: type.extension })
  const bytes = await file.readAll()
  return bytes instanceof Refusal ? bytes : preparePhoto(appContext, bytes)
}

async function preparePhoto({ pictures }: AppContext, bytes: Uint8Array): Promise<PreparedPost | Refusal> {
  const picture = await pictures.encodeForPost(bytes)
  if (picture instanceof Refusal) return picture
  const { original, ...shown } = picture
  const file = { sizeBytes: original.length, content: () => original }
  return { ...shown, original: file, extension: 'webp', durationMs: null }
}

/** Duration and size are those of the container; what it does not say is taken from the form. */
async function prepareVideo(
  { pictures }: AppContext,
  { input, files }: Call,
  { file, sample, extension }: { file: RequestFile; sample: Uint8Array; extension: FileExtension },
): Promise<PreparedPost | Refusal> {
  const info = readVideoInfo(sample, extension === 'webm' ? 'webm' : 'mp4')
  if ((info.width ?? 0) > MAX_VIDEO_EDGE_PX || (info.height ?? 0) > MAX_VIDEO_EDGE_PX)
    return refuse('UnsupportedMediaType', { message: VIDEO_UNREADABLE_TEXT, path: 'file' })
  if ((info.durationMs ?? 0) > MAX_VIDEO_DURATION_MS)
    return refuse('TooLarge', { message: VIDEO_TOO_LONG_TEXT, path: 'file' })
  const source = files.get('poster')
  const poster = source ? await pictures.encodeForPost(source) : null
  if (poster instanceof Refusal) return poster
  const size =
    info.width && info.height
      ? { width: info.width, height: info.height }
      : { width: input.width ?? poster?.width ?? null, height: input.height ?? poster?.height ?? null }
  return {
    original: file,
    extension,
    medium: poster?.medium ?? null,
    thumbnail: poster?.thumbnail ?? null,
    blur: poster?.blur ?? null,
    durationMs: info.durationMs ?? input.durationMs ?? null,
    ...size,
  }
}

/** Resolves with the names below `/uploads/`. */
async function storeFiles(
  { files }: AppContext,
  { original, extension, medium, thumbnail }: PreparedPost,
): Promise<Pick<NewPost, 'path' | 'mediumPath' | 'thumbnailPath'> | Refusal> {
  const storedThumbnail = thumbnail && (await files.put(thumbnail))
  if (storedThumbnail instanceof Refusal) return storedThumbnail
  const storedMedium = medium && (await files.put(medium))
  if (storedMedium instanceof Refusal) return storedMedium
  const stored = await files.put(original.content(), MAX_VIDEO_BYTES)
  if (stored instanceof Refusal) return stored
  return {
    path: uploadPath(stored.hash, extension),
    mediumPath: storedMedium && picturePath(storedMedium.hash),
    thumbnailPath: storedThumbnail && picturePath(storedThumbnail.hash),
  }
}
