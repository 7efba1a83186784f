import type Sharp from 'sharp'
import { MAX_PICTURE_PIXELS, PICTURE_TOO_LARGE, PICTURE_UNREADABLE } from '../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'

const MAX_CONCURRENT_DECODES = 2
const MAX_QUEUED_DECODES = 16
/** A picture that takes longer is made to. */
const MAX_DECODE_SECONDS = 10
const WEBP_QUALITY = 82

/** Opens pictures that people send, away from the main thread, a few at a time; one for each process. */
export class PictureProcessor {
  private readonly semaphore = new Semaphore(MAX_CONCURRENT_DECODES, MAX_QUEUED_DECODES)
  private sharpModule: Promise<typeof Sharp> | null = null

  /**
   * The middle of a picture as squares of these sides, in pixels, each as WebP: turned the way up that the camera noted, in
   * sRGB, its first frame, on white where it is transparent, without a byte of what else the file held. A picture that is
   * smaller is not made larger. Refusals: UnsupportedMediaType, TooLarge (too many pixels), Busy.
   */
  async cropToSquares(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
    // Only once it is needed: it takes a tenth of a second and some 20 MB.
    this.sharpModule ??= loadSharp()
    const sharp = await this.sharpModule
    return this.semaphore.run(() =>
      // Whatever libvips says of it, the file is none that can be shown.
      cropSquares(sharp, bytes, sides).catch(() => refuse('UnsupportedMediaType', { message: PICTURE_UNREADABLE })),
    )
  }
}

async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // The type is read from the bytes, and nothing else is handed to a decoder: SVG, PDF and TIFF have none here.
  const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((type) => `VipsForeignLoad${type}Buffer`)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // One thread of libuv's pool for each leaves cores for the rest; nothing is worth keeping from one to the next.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

async function cropSquares(
  sharp: typeof Sharp,
  bytes: Uint8Array,
  sides: readonly number[],
): Promise<Buffer[] | Refusal> {
  // Its pixels are counted here, by what its head says, so that the refusal can say why; a head that lies meets the limit.
  const { width, height } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata()
  if (width * height > MAX_PICTURE_PIXELS) return refuse('TooLarge', { message: PICTURE_TOO_LARGE })
  const side = Math.min(width, height, Math.max(...sides))
  const picture = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1, autoOrient: true })
  const { data, info: raw } = await picture
    .timeout({ seconds: MAX_DECODE_SECONDS })
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const encoded = (most: number) =>
    sharp(data, { raw }).resize(most, most, { withoutEnlargement: true }).webp({ quality: WEBP_QUALITY }).toBuffer()
  const squares: Buffer[] = []
  for (const most of sides) squares.push(await encoded(most))
  return squares
}
