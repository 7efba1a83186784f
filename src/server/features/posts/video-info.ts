import { boxesIn, findBox } from '../../../shared/media/file-types.ts'

/** What a video file says of itself; null where it says nothing. */
export interface VideoInfo {
  durationMs: number | null
  width: number | null
  height: number | null
}

/** Elements at one level of a WebM file, and bytes of its head, that are read. */
const MAX_ELEMENTS = 200
const WEBM_HEAD_BYTES = 64 * 1024
const DEFAULT_TIMESTAMP_SCALE_NS = 1_000_000

/** Reads duration and size of an MP4 or WebM file; of an MP4 without its frames the boxes `ftyp` and `moov` are enough. */
export function readVideoInfo(bytes: Uint8Array, extension: 'mp4' | 'webm'): VideoInfo {
  return extension === 'mp4' ? readMp4(bytes) : readWebm(bytes.subarray(0, WEBM_HEAD_BYTES))
}

/** The movie header and the first track with pictures (ISO/IEC 14496-12, 8.2.2 and 8.3.2). */
function readMp4(bytes: Uint8Array): VideoInfo {
  const movie = findBox(bytes, ['moov'])
  const header = movie && findBox(movie, ['mvhd'])
  const tracks = movie ? [...boxesIn(movie)].filter(({ name }) => name === 'trak') : []
  const track = tracks.map(({ content }) => findBox(content, ['tkhd'])).find((found) => found && sizeOfTrack(found))
  const size = track && sizeOfTrack(track)
  return {
    durationMs: header ? durationOfMovie(header) : null,
    width: size?.width ?? null,
    height: size?.height ?? null,
  }
}

function durationOfMovie(header: Uint8Array): number | null {
  const view = viewOf(header)
  const isLong = header[0] === 1
  if (header.length < (isLong ? 32 : 20)) return null
  const timescale = view.getUint32(isLong ? 20 : 12)
  const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16)
  return timescale > 0 ? toMilliseconds(duration / timescale) : null
}

/** The size of a track as it is shown, in 16.16 fixed point; null for a track without pictures. */
function sizeOfTrack(header: Uint8Array): { width: number; height: number } | null {
  const view = viewOf(header)
  const matrixAt = header[0] === 1 ? 52 : 40
  if (header.length < matrixAt + 44) return null
  const width = view.getUint32(matrixAt + 36) >>> 16
  const height = view.getUint32(matrixAt + 40) >>> 16
  if (width === 0 || height === 0) return null
  // A phone that is held upright writes lying pictures and a quarter turn.
  const isTurned = view.getInt32(matrixAt) === 0 && view.getInt32(matrixAt + 16) === 0
  return isTurned ? { width: height, height: width } : { width, height }
}

/** As wide as MP4's 16 bits say. */
const MAX_PIXELS = 65_535

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const VIDEO = 0xe0
const PIXEL_WIDTH = 0xb0
const PIXEL_HEIGHT = 0xba

/** Segment information and the first track with pictures (RFC 9559, 5.1.2 and 5.1.4). */
function readWebm(bytes: Uint8Array): VideoInfo {
  const segment = findElement(bytes, SEGMENT)
  const info = segment && findElement(segment, INFO)
  const scale = info && findElement(info, TIMESTAMP_SCALE)
  const duration = info && findElement(info, DURATION)
  const tracks = segment && findElement(segment, TRACKS)
  const videos = [...elementsIn(tracks ?? new Uint8Array())]
    .filter(({ id }) => id === TRACK_ENTRY)
    .map(({ content }) => findElement(content, VIDEO))
  const video = videos.find((found) => found !== null)
  const numberOf = (id: number) => {
    const element = video && findElement(video, id)
    return element ? toPixels(readNumber(element)) : null
  }
  const scaleNs = scale ? readNumber(scale) : DEFAULT_TIMESTAMP_SCALE_NS
  const ticks = duration ? readFloat(duration) : null
  return {
    durationMs: ticks === null ? null : toMilliseconds((ticks * scaleNs) / 1e9),
    width: numberOf(PIXEL_WIDTH),
    height: numberOf(PIXEL_HEIGHT),
  }
}

function findElement(bytes: Uint8Array, wanted: number): Uint8Array | null {
  for (const { id, content } of elementsIn(bytes)) if (id === wanted) return content
  return null
}

/** The first elements of these bytes (RFC 8794). One of unknown size goes on to the end. */
function* elementsIn(bytes: Uint8Array): Generator<{ id: number; content: Uint8Array }> {
  for (let start = 0, elements = 0; start < bytes.length && elements < MAX_ELEMENTS; elements++) {
    const idBytes = lengthOfVint(bytes[start])
    const sizeBytes = lengthOfVint(bytes[start + idBytes])
    const contentAt = start + idBytes + sizeBytes
    if (idBytes === 0 || idBytes > 4 || sizeBytes === 0 || contentAt > bytes.length) return
    const id = readNumber(bytes.subarray(start, start + idBytes))
    const marked = readNumber(bytes.subarray(start + idBytes, contentAt))
    const maxSize = 2 ** (7 * sizeBytes) - 1
    const size = marked - 2 ** (7 * sizeBytes)
    const end = size >= maxSize ? bytes.length : contentAt + size
    yield { id, content: bytes.subarray(contentAt, end) }
    start = end
  }
}

/** The length of a variable-size integer by its first byte, 1 to 8; 0 when it has none. */
function lengthOfVint(first: number | undefined): number {
  return first === undefined || first === 0 ? 0 : Math.clz32(first) - 23
}

/** An unsigned number, the most significant byte first. */
function readNumber(bytes: Uint8Array): number {
  return bytes.subarray(0, 8).reduce((number, byte) => number * 256 + byte, 0)
}

function readFloat(bytes: Uint8Array): number | null {
  const view = viewOf(bytes)
  if (bytes.length === 4) return view.getFloat32(0)
  return bytes.length === 8 ? view.getFloat64(0) : null
}

/** Whole milliseconds; null for a duration of nothing, as live recordings have, or one that no film has. */
function toMilliseconds(seconds: number): number | null {
  const ms = Math.round(seconds * 1_000)
  return Number.isSafeInteger(ms) && ms > 0 ? ms : null
}

/** null for no size, or one that no picture has. */
function toPixels(size: number): number | null {
  return size > 0 && size <= MAX_PIXELS ? size : null
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
