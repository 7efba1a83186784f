import sharp from 'sharp'
import { MOST_PIXELS, PICTURE_TOO_LARGE, PICTURE_UNREADABLE } from '../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { Gate } from './gate.ts'

// The type is read from the bytes, and nothing else is ever handed to a decoder: SVG, PDF and TIFF have none here.
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((type) => `VipsForeignLoad${type}Buffer`)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })
// Two at once, each on one thread of libuv's pool, leave cores for the rest; nothing is worth keeping between two of them.
sharp.concurrency(1)
sharp.cache(false)

const AT_ONCE = 2
const WAITING = 16
/** A picture that takes longer is made to. */
const MOST_SECONDS = 10
const QUALITY = 82

const gate = new Gate(AT_ONCE, WAITING)

/**
 * The middle of a picture as squares of these sides, in pixels, each as WebP: turned the way up that the camera noted, in
 * sRGB, its first frame, on white where it is transparent, without a byte of what else the file held. A picture that is
 * smaller is not made larger. Refusals: UnsupportedMediaType, TooLarge (too many pixels), Busy.
 */
export async function squaresOf(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
  return gate.pass(async () => {
    try {
      return await cut(bytes, sides)
    } catch (error) {
      // Whatever libvips says of it, the file is not one that can be shown.
      return refuse('UnsupportedMediaType', { message: PICTURE_UNREADABLE })
    }
  })
}

async function cut(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1, autoOrient: true })
  const { width, height } = await picture.metadata()
  if (width * height > MOST_PIXELS) return refuse('TooLarge', { message: PICTURE_TOO_LARGE })
  const most = Math.min(width, height)
  const { data, info } = await picture
    .timeout({ seconds: MOST_SECONDS })
    .resize({ width: Math.min(most, Math.max(...sides)), height: Math.min(most, Math.max(...sides)), fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const squares: Buffer[] = []
  for (const side of sides) {
    const square = sharp(data, { raw }).resize({ width: side, height: side, withoutEnlargement: true })
    squares.push(await square.webp({ quality: QUALITY }).toBuffer())
  }
  return squares
}
