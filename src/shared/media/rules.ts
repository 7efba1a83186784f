import type { FileExtension } from './file-types.ts'

/** The largest file of most features, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** The largest file where a feature allows more, such as a video of a post. */
export const MAX_LARGE_FILE_BYTES = 100 * 1024 * 1024
/** Message for a larger file (specification 1, point 5). */
export const FILE_TOO_LARGE = "Dosya boyutu 20MB'yi aşamaz."
/** Texts of specification 1, points 5 and 8. */
export const MEDIA_TYPE_REFUSED = 'Yalnızca resim, video ve ses dosyaları yükleyebilirsiniz.'
export const MEDIA_UPLOAD_FAILED = 'Medya yükleme hatası.'
export const AUDIO_UPLOAD_FAILED = 'Ses yükleme hatası.'

/** Whether the text is a SHA-256 as 64 lower-case hex digits. */
export function isFileHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** The name of a file below `/uploads/`. */
export function uploadPath(hash: string, extension: FileExtension): string {
  return `${hash}.${extension}`
}

/** The name of a picture below `/uploads/`. */
export function picturePath(hash: string): string {
  return uploadPath(hash, 'webp')
}

/** The largest picture that is decoded; a small file can declare any number of pixels. */
export const MAX_PICTURE_PIXELS = 25_000_000
export const PICTURE_TOO_LARGE = 'Resim çok büyük: en fazla 25 megapiksel olabilir.'
/** The largest picture of an avatar; the browser crops it before, to 640 by 640. */
export const MAX_AVATAR_PIXELS = 4_000_000
export const AVATAR_TOO_LARGE = 'Resim çok büyük: en fazla 4 megapiksel olabilir.'
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const
export const PICTURE_UNREADABLE = 'Bu dosya açılamadı. JPEG, PNG, WebP, GIF ya da AVIF biçiminde bir resim seç.'
