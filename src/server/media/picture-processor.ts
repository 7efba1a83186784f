import type Sharp from 'sharp'
import type { Sharp as OpenPicture } from 'sharp'
import { LARGE_PX, MEDIUM_PX, THUMBNAIL_PX } from '../../shared/media/picture-sizes.ts'
import { MAX_PICTURE_PIXELS, PICTURE_TOO_LARGE, PICTURE_UNREADABLE } from '../../shared/media/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'

const MAX_CONCURRENT_DECODES = 2
const MAX_QUEUED_DECODES = 16
/** Decoding is aborted after this. */
const MAX_DECODE_SECONDS = 10
const WEBP_QUALITY = 82
/** A blurred stand-in is part of the message, so it has few pixels and few bytes. */
const BLUR_PX = 16
const BLUR_QUALITY = 30

/** A picture of a message, re-encoded as WebP. */
export interface MessagePicture {
  original: Buffer
  thumbnail: Buffer
  /** A WebP picture of at most 16 by 16 pixels, in base64. */
  blur: string
  /** Pixels of `original`. */
  width: number
  height: number
}

/** A picture of a post, re-encoded as WebP. */
export interface PostPicture extends MessagePicture {
  medium: Buffer
}

/** Decodes uploaded pictures outside the main thread, two at a time; one instance per process. */
export class PictureProcessor {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT_DECODES, MAX_QUEUED_DECODES)
  private sharpModule: Promise<typeof Sharp> | null = null

  /**
   * Crops the centre of a picture to WebP squares with these sides, in pixels: upright by its EXIF orientation, in sRGB,
   * first frame only, transparency on white, without metadata. Smaller pictures are not enlarged.
   * Refusals: UnsupportedMediaType, TooLarge (too many pixels), Busy.
   */
  cropToSquares(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
    return this.run((sharp) => cropSquares(sharp, bytes, sides))
  }

  /** Encodes a whole picture for a message, otherwise as `cropToSquares` does, with the same refusals. */
  encodeForMessage(bytes: Uint8Array): Promise<MessagePicture | Refusal> {
    return this.run((sharp) => encodeForMessage(sharp, bytes))
  }

  /** As `encodeForMessage`, with a middle size. */
  encodeForPost(bytes: Uint8Array): Promise<PostPicture | Refusal> {
    return this.run(async (sharp) => {
      const encoded = await encodeSizes(sharp, bytes, [LARGE_PX, MEDIUM_PX, THUMBNAIL_PX])
      if (encoded instanceof Refusal) return encoded
      const {
        sizes: [original, medium, thumbnail],
        ...shown
      } = encoded
      return { original, medium, thumbnail, ...shown }
    })
  }

  /** Encodes a whole picture within squares with these sides, in pixels, otherwise as `cropToSquares` does. */
  encodeInSizes(bytes: Uint8Array, sides: readonly [number, ...number[]]): Promise<Buffer[] | Refusal> {
    return this.run(async (sharp) => {
      const encoded = await encodeSizes(sharp, bytes, sides)
      return encoded instanceof Refusal ? encoded : [...encoded.sizes]
    })
  }

  private async run<T>(process: (sharp: typeof Sharp) => Promise<T | Refusal>): Promise<T | Refusal> {
    // Loaded at the first use: it takes 100 ms and about 20 MB.
    this.sharpModule ??= loadSharp()
    const sharp = await this.sharpModule
    return this.semaphore.run(() =>
      // Any libvips error means that the file cannot be shown.
      process(sharp).catch(() => refuse('UnsupportedMediaType', { message: PICTURE_UNREADABLE })),
    )
  }
}

async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // libvips detects the type from the bytes; the decoders for SVG, PDF and TIFF stay blocked.
  const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((type) => `VipsForeignLoad${type}Buffer`)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // One libuv thread per picture leaves cores for other work; pictures do not repeat, so a cache has no use.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

async function cropSquares(
  sharp: typeof Sharp,
  bytes: Uint8Array,
  sides: readonly number[],
): Promise<Buffer[] | Refusal> {
  const opened = await openPicture(sharp, bytes)
  if (opened instanceof Refusal) return opened
  const maxSide = Math.min(opened.width, opened.height, Math.max(...sides))
  const { data, info: raw } = await toRaw(opened.picture.resize(maxSide, maxSide, { fit: 'cover' }))
  const encode = (side: number) =>
    sharp(data, { raw }).resize(side, side, { withoutEnlargement: true }).webp({ quality: WEBP_QUALITY }).toBuffer()
  const squares: Buffer[] = []
  for (const side of sides) squares.push(await encode(side))
  return squares
}

async function encodeForMessage(sharp: typeof Sharp, bytes: Uint8Array): Promise<MessagePicture | Refusal> {
  const encoded = await encodeSizes(sharp, bytes, [LARGE_PX, THUMBNAIL_PX])
  if (encoded instanceof Refusal) return encoded
  const { sizes, ...shown } = encoded
  const [original, thumbnail] = sizes
  return { original, thumbnail, ...shown }
}

/** A whole picture within squares with these sides, the largest first, and its blur; the pixels are those of the first. */
async function encodeSizes<const Sides extends readonly [number, ...number[]]>(
  sharp: typeof Sharp,
  bytes: Uint8Array,
  sides: Sides,
): Promise<{ sizes: { [I in keyof Sides]: Buffer }; blur: string; width: number; height: number } | Refusal> {
  const opened = await openPicture(sharp, bytes)
  if (opened instanceof Refusal) return opened
  const within = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const
  const { data, info: raw } = await toRaw(opened.picture.resize(within(sides[0])))
  const encode = (side: number, quality: number) =>
    sharp(data, { raw }).resize(within(side)).webp({ quality }).toBuffer()
  const sizes: Buffer[] = []
  for (const side of sides) sizes.push(await encode(side, WEBP_QUALITY))
  const blur = (await encode(BLUR_PX, BLUR_QUALITY)).toString('base64')
  // One picture for each side.
  return { sizes: sizes as { [I in keyof Sides]: Buffer }, blur, width: raw.width, height: raw.height }
}

/** A picture with the limits of every decoder, and its size as stored. Refuses with TooLarge. */
async function openPicture(
  sharp: typeof Sharp,
  bytes: Uint8Array,
): Promise<{ picture: OpenPicture; width: number; height: number } | Refusal> {
  // Counting the pixels from the header gives the refusal its reason; `limitInputPixels` covers headers that lie.
  const { width, height } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata()
  if (width * height > MAX_PICTURE_PIXELS) return refuse('TooLarge', { message: PICTURE_TOO_LARGE })
  const picture = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1, autoOrient: true })
  return { picture, width, height }
}

/** Decodes to pixels in sRGB, with transparency on white. */
function toRaw(picture: OpenPicture) {
  return picture
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}
