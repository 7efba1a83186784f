import type Sharp from 'sharp'
import { MAX_PICTURE_PIXELS, PICTURE_TOO_LARGE, PICTURE_UNREADABLE } from '../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'

const MAX_CONCURRENT_DECODES = 2
const MAX_QUEUED_DECODES = 16
/** Decoding is aborted after this. */
const MAX_DECODE_SECONDS = 10
const WEBP_QUALITY = 82

/** Decodes uploaded pictures outside the main thread, two at a time; one instance per process. */
export class PictureProcessor {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT_DECODES, MAX_QUEUED_DECODES)
  private sharpModule: Promise<typeof Sharp> | null = null

  /**
   * Crops the centre of a picture to WebP squares with these sides, in pixels: upright by its EXIF orientation, in sRGB,
   * first frame only, transparency on white, without metadata. Smaller pictures are not enlarged.
   * Refusals: UnsupportedMediaType, TooLarge (too many pixels), Busy.
   */
  async cropToSquares(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
    // Loaded at the first use: it takes 100 ms and about 20 MB.
    this.sharpModule ??= loadSharp()
    const sharp = await this.sharpModule
    return this.semaphore.run(() =>
      // Any libvips error means that the file cannot be shown.
      cropSquares(sharp, bytes, sides).catch(() => refuse('UnsupportedMediaType', { message: PICTURE_UNREADABLE })),
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
  // Counting the pixels from the header gives the refusal its reason; `limitInputPixels` covers headers that lie.
  const { width, height } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata()
  if (width * height > MAX_PICTURE_PIXELS) return refuse('TooLarge', { message: PICTURE_TOO_LARGE })
  const maxSide = Math.min(width, height, Math.max(...sides))
  const picture = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1, autoOrient: true })
  const { data, info: raw } = await picture
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .resize(maxSide, maxSide, { fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const encode = (side: number) =>
    sharp(data, { raw }).resize(side, side, { withoutEnlargement: true }).webp({ quality: WEBP_QUALITY }).toBuffer()
  const squares: Buffer[] = []
  for (const side of sides) squares.push(await encode(side))
  return squares
}
