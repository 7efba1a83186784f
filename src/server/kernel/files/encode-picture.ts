import sharp, { type Sharp } from 'sharp'

const WEBP_QUALITY = 82
/** The blurred picture is part of the message, so it has few pixels and few bytes. */
const BLUR_PX = 16
const BLUR_QUALITY = 30

/** A picture to encode. `squares` crops its centre; `whole` keeps all of it, within squares. */
export interface PictureJob {
  shape: 'squares' | 'whole'
  bytes: Uint8Array
  /** Sides of the squares in pixels, the largest first where the picture is `whole`. */
  sides: readonly number[]
  maxPixels: number
}

/** An SVG document that the site wrote itself, to be drawn as JPEG. */
export interface DrawingJob {
  shape: 'drawing'
  svg: string
}

export interface EncodedPicture {
  /** WebP pictures, one for each side; of a drawing one JPEG. */
  sizes: Buffer[]
  /** A WebP picture of at most 16 by 16 pixels, in base64; empty for squares and drawings. */
  blur: string
  /** Pixels of the largest size. */
  width: number
  height: number
}

export type PictureRefusal = 'tooLarge' | 'unreadable'

const DRAWING_QUALITY = 88
const SVG_LOADER = { operation: ['VipsForeignLoadSvgBuffer'] }

// libvips detects the type from the bytes; the decoders for SVG, PDF and TIFF stay blocked.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((type) => `VipsForeignLoad${type}Buffer`) })
// A process decodes one picture at a time on one core; pictures do not repeat, so a cache has no use.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Encodes a picture as WebP: upright by its EXIF orientation, in sRGB, first frame only, transparency on white, without
 * metadata. Smaller pictures are not enlarged. Only the picture process calls it.
 */
export async function encodePicture(job: PictureJob): Promise<EncodedPicture | PictureRefusal> {
  try {
    // Counting the pixels from the header comes before decoding; `limitInputPixels` covers headers that lie.
    const header = await sharp(job.bytes, { limitInputPixels: false, pages: 1 }).metadata()
    if (header.width * header.height > job.maxPixels) return 'tooLarge'
    return job.shape === 'squares' ? await encodeSquares(job, header) : await encodeWhole(job)
  } catch {
    // Any libvips error means that the file cannot be shown.
    return 'unreadable'
  }
}

async function encodeSquares(job: PictureJob, stored: { width: number; height: number }): Promise<EncodedPicture> {
  const maxSide = Math.min(stored.width, stored.height, Math.max(...job.sides))
  const { data, info: raw } = await decode(job, (picture) => picture.resize(maxSide, maxSide, { fit: 'cover' }))
  const sizes: Buffer[] = []
  for (const side of job.sides) {
    const square = sharp(data, { raw }).resize(side, side, { withoutEnlargement: true })
    sizes.push(await square.webp({ quality: WEBP_QUALITY }).toBuffer())
  }
  return { sizes, blur: '', width: raw.width, height: raw.height }
}

async function encodeWhole(job: PictureJob): Promise<EncodedPicture> {
  const within = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const
  const { data, info: raw } = await decode(job, (picture) => picture.resize(within(Math.max(...job.sides))))
  const encode = (side: number, quality: number) =>
    sharp(data, { raw }).resize(within(side)).webp({ quality }).toBuffer()
  const sizes: Buffer[] = []
  for (const side of job.sides) sizes.push(await encode(side, WEBP_QUALITY))
  const blur = (await encode(BLUR_PX, BLUR_QUALITY)).toString('base64')
  return { sizes, blur, width: raw.width, height: raw.height }
}

/** Decodes to pixels in sRGB, with transparency on white. */
function decode({ bytes, maxPixels }: PictureJob, resize: (picture: Sharp) => Sharp) {
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, autoOrient: true })
  return resize(picture)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}

/** Draws an SVG document of the site. The decoder for SVG is open for this time only: a process does one job at a time. */
export async function drawPicture({ svg }: DrawingJob): Promise<EncodedPicture | PictureRefusal> {
  sharp.unblock(SVG_LOADER)
  try {
    const picture = sharp(Buffer.from(svg)).jpeg({ quality: DRAWING_QUALITY, chromaSubsampling: '4:4:4' })
    const { data, info } = await picture.toBuffer({ resolveWithObject: true })
    return { sizes: [data], blur: '', width: info.width, height: info.height }
  } catch {
    return 'unreadable'
  } finally {
    sharp.block(SVG_LOADER)
  }
}
