import type { MediaType } from '../../../../shared/media/media.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, MEDIA_TYPE_REFUSED } from '../../../../shared/media/rules.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { OutgoingFile } from './outgoing-file.ts'

/** Time limit for reading a file's details; after it the file is sent without them. */
const MAX_READ_MS = 5_000
/** The poster of a video is the picture at this second, or in the middle of a shorter one. */
const POSTER_SECOND = 0.5
const MAX_POSTER_PX = 1280
const POSTER_QUALITY = 0.8

export const MEDIA_TYPES = ['image', 'video', 'audio'] as const satisfies readonly MediaType[]

type FileDetails = Pick<OutgoingFile, 'width' | 'height' | 'durationMs' | 'poster'>
const NO_DETAILS: FileDetails = { width: null, height: null, durationMs: null, poster: null }

/** The kind of a file by the type that the browser names; the server reads the bytes. Refuses other kinds and sizes. */
export function checkFile({ type, size }: Pick<Blob, 'type' | 'size'>): MediaType | Refusal {
  const mediaType = MEDIA_TYPES.find((kind) => type.startsWith(`${kind}/`))
  if (!mediaType) return new Refusal({ code: 'UnsupportedMediaType', message: MEDIA_TYPE_REFUSED })
  return size > MAX_FILE_BYTES ? new Refusal({ code: 'TooLarge', message: FILE_TOO_LARGE }) : mediaType
}

/** Reads the size, the duration and the poster of a file, as far as this browser can. */
export async function prepareFile(file: File, mediaType: MediaType): Promise<OutgoingFile> {
  const url = URL.createObjectURL(file)
  const reading = new AbortController()
  const timer = setTimeout(() => reading.abort(), MAX_READ_MS)
  const details = await Promise.race([
    readDetails(mediaType, url, reading.signal).catch(() => NO_DETAILS),
    aborted(reading.signal).catch(() => NO_DETAILS),
  ])
  clearTimeout(timer)
  URL.revokeObjectURL(url)
  return { blob: file, name: file.name, mediaType, waveform: null, ...details }
}

function readDetails(mediaType: MediaType, url: string, signal: AbortSignal): Promise<FileDetails> {
  switch (mediaType) {
    case 'image':
      return readPicture(url)
    case 'video':
      return readVideo(url, signal)
    case 'audio':
      return readAudio(url, signal)
  }
}

async function readPicture(url: string): Promise<FileDetails> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  return { ...NO_DETAILS, width: picture.naturalWidth, height: picture.naturalHeight }
}

async function readAudio(url: string, signal: AbortSignal): Promise<FileDetails> {
  const audio = new Audio()
  await load(audio, url, 'loadedmetadata', signal)
  return { ...NO_DETAILS, durationMs: durationOf(audio) }
}

async function readVideo(url: string, signal: AbortSignal): Promise<FileDetails> {
  // Safari loads no frame of an element that might play aloud or in full screen.
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, preload: 'auto' })
  await load(video, url, 'loadeddata', signal)
  const details = { width: video.videoWidth || null, height: video.videoHeight || null, durationMs: durationOf(video) }
  const seeked = nextEvent(video, 'seeked', signal)
  video.currentTime = Math.min(POSTER_SECOND, (details.durationMs ?? 0) / 2000)
  await Promise.race([seeked, aborted(signal)]).catch(() => {})
  const poster = await drawPoster(video).catch(() => null)
  return { ...details, poster }
}

async function load(element: HTMLMediaElement, url: string, event: string, signal: AbortSignal): Promise<void> {
  const loaded = nextEvent(element, event, signal)
  element.src = url
  await loaded
}

/** Resolves with the next event; rejects when the element fails or the signal aborts. */
function nextEvent(element: HTMLMediaElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener(event, () => resolve(), { once: true, signal })
    element.addEventListener('error', () => reject(element.error), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** null where the file does not say it, as recordings of a browser do not. */
function durationOf({ duration }: HTMLMediaElement): number | null {
  return Number.isFinite(duration) ? Math.round(duration * 1000) : null
}

function drawPoster(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, MAX_POSTER_PX / Math.max(video.videoWidth, video.videoHeight))
  const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', POSTER_QUALITY))
}
