import type { MediaType } from './media.ts'

/** Content types of served files, by the extension of their name below `/uploads/`. */
const contentTypes = {
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
} as const

export type FileExtension = keyof typeof contentTypes

/** The type of an upload, read from its bytes. Pictures of every type are stored as WebP. */
export interface FileType {
  mediaType: MediaType
  extension: FileExtension
}

/** The content type of a served file; undefined for an extension that no file has. */
export function contentTypeOf(extension: string): string | undefined {
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension as FileExtension] : undefined // hasOwn says it
}

/** The part of a WebM file in which its codecs are named. */
const WEBM_HEAD_BYTES = 64 * 1024
/** Boxes that are read at one level of an MP4 file, and tracks. */
const MAX_BOXES = 200
const MAX_TRACKS = 32
const PICTURE: FileType = { mediaType: 'image', extension: 'webp' }
/**
 * Major brands of MP4 files (https://mp4ra.org/registered-types/brands), and that of QuickTime: iPhones send films as `.mov`,
 * which have the boxes of an MP4, and browsers play them under its type. HEIF has other brands.
 */
const mp4Brands = /^(?:iso[2-9m]|mp4[12]|avc1|M4[ABV] |dash|MSNV|f4v |qt {2})$/

/**
 * The type of a file by its bytes, its name aside; null for any other type. A container without a video or audio track
 * has no type. Signatures: WHATWG MIME Sniffing, section 6.
 */
export function detectFileType(bytes: Uint8Array): FileType | null {
  const starts = (text: string, offset = 0) => readText(bytes, offset, offset + text.length) === text
  if (starts('\xff\xd8\xff') || starts('PNG\r\n\x1a\n', 1) || starts('GIF87a') || starts('GIF89a')) return PICTURE
  if (starts('RIFF') && starts('WEBP', 8)) return PICTURE
  if (starts('RIFF') && starts('WAVE', 8)) return { mediaType: 'audio', extension: 'wav' }
  if (starts('OggS')) return detectOgg(bytes)
  if (starts('\x1aE\xdf\xa3')) return detectWebm(bytes)
  if (starts('ftyp', 4)) return detectMp4(bytes)
  if (starts('ID3') || isMp3Frame(bytes)) return { mediaType: 'audio', extension: 'mp3' }
  return null
}

/** Ogg with Opus or Vorbis in its first page (RFC 3533, RFC 7845). */
function detectOgg(bytes: Uint8Array): FileType | null {
  const head = readText(bytes, 0, 128)
  const isAudio = head.includes('OpusHead') || head.includes('\x01vorbis')
  return isAudio ? { mediaType: 'audio', extension: 'ogg' } : null
}

/** Matroska of the type `webm` (RFC 9559), by the names of its codecs. */
function detectWebm(bytes: Uint8Array): FileType | null {
  const head = readText(bytes, 0, WEBM_HEAD_BYTES)
  if (!head.slice(0, 64).includes('webm')) return null
  if (/V_(?:VP8|VP9|AV1|MPEG4\/ISO\/AVC)/.test(head)) return { mediaType: 'video', extension: 'webm' }
  return /A_(?:OPUS|VORBIS)/.test(head) ? { mediaType: 'audio', extension: 'webm' } : null
}

/** MP4 or AVIF (ISO/IEC 14496-12): by its brand and the handlers of its tracks. */
function detectMp4(bytes: Uint8Array): FileType | null {
  const brand = readText(bytes, 8, 12)
  if (brand === 'avif' || brand === 'avis') return PICTURE
  const movie = mp4Brands.test(brand) ? findBox(bytes, ['moov']) : null
  const handlers = movie ? findHandlers(movie) : []
  if (handlers.includes('vide')) return { mediaType: 'video', extension: 'mp4' }
  return handlers.includes('soun') ? { mediaType: 'audio', extension: 'm4a' } : null
}

/** The types of the tracks of a movie: `vide`, `soun` and others. */
function findHandlers(movie: Uint8Array): string[] {
  const tracks = [...boxesIn(movie)].filter(({ name }) => name === 'trak').slice(0, MAX_TRACKS)
  return tracks.flatMap(({ content }) => {
    const handler = findBox(content, ['mdia', 'hdlr'])
    return handler ? [readText(handler, 8, 12)] : []
  })
}

/** The content of the first box with this path of names; null without one. */
export function findBox(bytes: Uint8Array, [name, ...path]: readonly string[]): Uint8Array | null {
  for (const box of boxesIn(bytes)) if (box.name === name) return path.length ? findBox(box.content, path) : box.content
  return null
}

/** The first boxes of these bytes; a file of small boxes alone would block the event loop for seconds. */
export function* boxesIn(bytes: Uint8Array): Generator<{ name: string; content: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0, boxes = 0; start + 8 <= bytes.length && boxes < MAX_BOXES; boxes++) {
    // 1: the size follows in 64 bits; 0: the box goes on to the end.
    const shortSize = view.getUint32(start)
    const isLong = shortSize === 1 && start + 16 <= bytes.length
    const size = isLong ? Number(view.getBigUint64(start + 8)) : shortSize || bytes.length - start
    const headerBytes = isLong ? 16 : 8
    if (size < headerBytes) return
    yield { name: readText(bytes, start + 4, start + 8), content: bytes.subarray(start + headerBytes, start + size) }
    start += size
  }
}

/** The header of an MPEG audio frame of layer III (ISO/IEC 11172-3): no reserved version, bit rate or sampling rate. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isSynchronous = first === 0xff && (second & 0xe0) === 0xe0
  const isLayer3 = (second & 0x06) === 0x02 && (second & 0x18) !== 0x08
  const hasRates = third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c
  return isSynchronous && isLayer3 && hasRates
}

/** Bytes as windows-1252, where those below 0x80 and from 0xa0 are the characters of the same code. */
function readText(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(start, end))
}
