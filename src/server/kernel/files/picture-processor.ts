import { LARGE_PX, MEDIUM_PX, THUMBNAIL_PX } from '../../../shared/media/picture-sizes.ts'
import {
  AVATAR_TOO_LARGE,
  MAX_AVATAR_PIXELS,
  MAX_PICTURE_PIXELS,
  PICTURE_TOO_LARGE,
  PICTURE_UNREADABLE,
} from '../../../shared/media/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { DrawingJob, EncodedPicture, PictureJob } from './encode-picture.ts'
import { PictureProcess, type PictureProcessBounds } from './picture-process.ts'

/** One for each core of a small machine; a larger one needs no more. */
const MAX_PROCESSES = 2
const MAX_QUEUED_PICTURES = 16

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

/**
 * Encodes uploaded pictures (encode-picture.ts) in processes of their own, two at a time, so that a hostile file cannot take
 * the site's memory or end it. One instance per region.
 */
export class PictureProcessor {
  private readonly semaphore = new Semaphore(MAX_PROCESSES, MAX_QUEUED_PICTURES)
  private readonly bounds: PictureProcessBounds
  private readonly idle: PictureProcess[] = []
  private readonly busy = new Set<PictureProcess>()

  /** @param bounds of each process */
  constructor(bounds: PictureProcessBounds) {
    this.bounds = bounds
  }

  /**
   * Crops the centre of a picture to squares with these sides, in pixels, for an avatar.
   * Refusals: UnsupportedMediaType, TooLarge (too many pixels), Busy.
   */
  async cropToSquares(bytes: Uint8Array, sides: readonly number[]): Promise<Buffer[] | Refusal> {
    const encoded = await this.encode({ shape: 'squares', bytes, sides, maxPixels: MAX_AVATAR_PIXELS })
    return encoded instanceof Refusal ? encoded : encoded.sizes
  }

  /** Encodes a whole picture for a message, with the refusals of `cropToSquares`. */
  async encodeForMessage(bytes: Uint8Array): Promise<MessagePicture | Refusal> {
    const encoded = await this.encodeWhole(bytes, [LARGE_PX, THUMBNAIL_PX])
    if (encoded instanceof Refusal) return encoded
    const { sizes, ...shown } = encoded
    const [original, thumbnail] = sizes
    return { original, thumbnail, ...shown }
  }

  /** As `encodeForMessage`, with a middle size. */
  async encodeForPost(bytes: Uint8Array): Promise<PostPicture | Refusal> {
    const encoded = await this.encodeWhole(bytes, [LARGE_PX, MEDIUM_PX, THUMBNAIL_PX])
    if (encoded instanceof Refusal) return encoded
    const { sizes, ...shown } = encoded
    const [original, medium, thumbnail] = sizes
    return { original, medium, thumbnail, ...shown }
  }

  /** Encodes a whole picture within squares with these sides, in pixels, the largest first. */
  async encodeInSizes(bytes: Uint8Array, sides: readonly [number, ...number[]]): Promise<Buffer[] | Refusal> {
    const encoded = await this.encodeWhole(bytes, sides)
    return encoded instanceof Refusal ? encoded : [...encoded.sizes]
  }

  /** Draws an SVG document of the site as JPEG; null when it cannot be drawn, or too many pictures wait. */
  async draw(svg: string): Promise<Buffer | null> {
    const outcome = await this.semaphore.run(() => this.runInProcess({ shape: 'drawing', svg }))
    return typeof outcome === 'string' || outcome instanceof Refusal ? null : (outcome.sizes[0] ?? null)
  }

  /** Ends the processes; pictures under way are refused. */
  close(): void {
    for (const child of [...this.idle, ...this.busy]) child.end()
  }

  private async encodeWhole<const Sides extends readonly [number, ...number[]]>(
    bytes: Uint8Array,
    sides: Sides,
  ): Promise<(Omit<EncodedPicture, 'sizes'> & { sizes: { [I in keyof Sides]: Buffer } }) | Refusal> {
    const encoded = await this.encode({ shape: 'whole', bytes, sides, maxPixels: MAX_PICTURE_PIXELS })
    // One picture for each side.
    return encoded as
      | Exclude<typeof encoded, EncodedPicture>
      | (EncodedPicture & { sizes: { [I in keyof Sides]: Buffer } })
  }

  private async encode(job: PictureJob): Promise<EncodedPicture | Refusal> {
    const outcome = await this.semaphore.run(() => this.runInProcess(job))
    if (outcome === 'unreadable') return refuse('UnsupportedMediaType', { message: PICTURE_UNREADABLE })
    if (outcome === 'tooLarge')
      return refuse('TooLarge', { message: job.shape === 'squares' ? AVATAR_TOO_LARGE : PICTURE_TOO_LARGE })
    return outcome
  }

  private async runInProcess(job: PictureJob | DrawingJob) {
    const child = this.takeIdle() ?? new PictureProcess(this.bounds)
    this.busy.add(child)
    const outcome = await child.run(job)
    this.busy.delete(child)
    if (child.isUsable) this.idle.push(child)
    return outcome
  }

  private takeIdle(): PictureProcess | null {
    for (let child = this.idle.pop(); child; child = this.idle.pop()) if (child.isUsable) return child
    return null
  }
}
