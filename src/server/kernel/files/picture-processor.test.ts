import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AVATAR_TOO_LARGE, PICTURE_TOO_LARGE, PICTURE_UNREADABLE } from '../../../shared/media/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { createHugePng, createPicture } from '../../testing/fixtures/test-pictures.ts'
import { PictureProcessor } from './picture-processor.ts'

const pictures = new PictureProcessor({ maxBytes: 640 * 1024 * 1024 })
afterAll(() => pictures.close())

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><script>alert(1)</script></svg>'
const unreadable = { body: { code: 'UnsupportedMediaType', message: PICTURE_UNREADABLE } }

/** The cropped squares; throws on a refusal. */
async function cropToSquares(bytes: Uint8Array, sides = [192, 640]): Promise<Buffer[]> {
  const made = await pictures.cropToSquares(bytes, sides)
  if (made instanceof Refusal) throw new Error(made.body.code)
  return made
}

/** The colour of a pixel, each channel rounded to 0 or 1. */
async function readColour(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data].map((value) => (value > 127 ? 1 : 0))
}

/** A picture of four quarters: red, green, blue and black from the top left. */
function createQuarters(width: number, height: number): Sharp {
  const half = { width: width / 2, height: height / 2 }
  const quarter = (background: string) => ({ create: { ...half, channels: 3 as const, background } })
  return sharp({ create: { width, height, channels: 3, background: '#000' } }).composite([
    { input: quarter('#f00'), left: 0, top: 0 },
    { input: quarter('#0f0'), left: half.width, top: 0 },
    { input: quarter('#00f'), left: 0, top: half.height },
  ])
}

describe('PictureProcessor', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    '[FILE-21] [FILE-23] decodes %s and encodes WebP squares',
    async (format) => {
      const [small, large] = await cropToSquares(await createPicture(format, 1_000, 800))
      for (const [bytes, side] of [
        [small, 192],
        [large, 640],
      ] as const) {
        const { format: made, width, height, space, pages, hasProfile } = await sharp(bytes).metadata()
        expect({ made, width, height, space }).toEqual({ made: 'webp', width: side, height: side, space: 'srgb' })
        expect([pages ?? 1, hasProfile]).toEqual([1, false])
      }
    },
  )

  it.each([
    ['an SVG', Buffer.from(svg)],
    ['an SVG behind white space', Buffer.from(`  \n<?xml version="1.0"?>${svg}`)],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['a zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /')],
    ['GIF and script at once', Buffer.from('GIF89a/*'.concat('\0'.repeat(20), '*/=1;alert(1)//'))],
    ['the head of a PNG alone', createHugePng(80, 80).subarray(0, 33)],
    ['the head of a JPEG alone', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['one byte', Buffer.from([0])],
    ['an ImageMagick script', Buffer.from('push graphic-context\nfill \'url(https://127.0.0.1/"|ls")\'')],
  ])('[FILE-21] refuses %s', async (_, bytes) => {
    expect(await pictures.cropToSquares(bytes, [192])).toMatchObject(unreadable)
  })

  it('[FILE-21] refuses TIFF and truncated pictures', async () => {
    expect(await pictures.cropToSquares(await createPicture('tiff'), [192])).toMatchObject(unreadable)
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const whole = await createPicture(format, 400, 400)
      expect(await pictures.cropToSquares(whole.subarray(0, whole.length / 2), [192]), format).toMatchObject(unreadable)
    }
  })

  it('[FILE-23] drops the bytes after the end of a picture', async () => {
    const html = '<script>alert(document.domain)</script>'
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const both = Buffer.concat([await createPicture(format), Buffer.from(html)])
      for (const square of await cropToSquares(both)) expect(square.includes('script')).toBe(false)
    }
  })

  it('[FILE-22] [MEDIA-82] refuses more than 25 megapixels, of an avatar 4, by the header, before decoding', async () => {
    const tooLarge = { body: { code: 'TooLarge', message: PICTURE_TOO_LARGE } }
    for (const [width, height] of [
      [50_000, 50_000],
      [8_000, 5_000],
      [2, 12_500_001],
      [5_001, 5_001],
    ] as const) {
      // Most rows are missing, so decoding would fail with another refusal.
      expect(await pictures.encodeInSizes(createHugePng(width, height), [192]), `${width}x${height}`).toMatchObject(
        tooLarge,
      )
    }
    expect(await pictures.encodeInSizes(createHugePng(5_000, 5_000), [192])).toHaveLength(1)
    for (const [width, height] of [
      [2_001, 2_000],
      [1, 4_000_001],
    ] as const) {
      expect(await pictures.cropToSquares(createHugePng(width, height), [192])).toMatchObject({
        body: { code: 'TooLarge', message: AVATAR_TOO_LARGE },
      })
    }
    expect(await cropToSquares(createHugePng(2_000, 2_000))).toHaveLength(2)
  })

  it('[FILE-23] turns a picture upright by its EXIF orientation', async () => {
    // 6: the stored picture is rotated by 270 degrees; 3: by 180 degrees.
    const upright = await createQuarters(200, 200).png().toBuffer()
    for (const [orientation, stored] of [
      [6, sharp(upright).rotate(270)],
      [3, sharp(upright).rotate(180)],
    ] as const) {
      const [square = Buffer.alloc(0)] = await cropToSquares(
        await stored.withMetadata({ orientation }).jpeg().toBuffer(),
        [100],
      )
      const corners = [
        await readColour(square, 10, 10),
        await readColour(square, 90, 10),
        await readColour(square, 10, 90),
      ]
      expect(corners).toEqual([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ])
    }
  })

  it('[FILE-23] removes EXIF, XMP, ICC and IPTC metadata', async () => {
    const exif = { IFD0: { Copyright: 'gizli-sahip', Make: 'gizli-kamera' }, IFD3: { GPSLatitude: '41/1 0/1 0/1' } }
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><gizli-xmp/></x:xmpmeta>'
    const withMetadata = await sharp(await createPicture('png'))
      .withExif(exif)
      .withXmp(xmp)
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect(withMetadata.includes('gizli-kamera')).toBe(true)
    for (const square of await cropToSquares(withMetadata)) {
      const { exif: exifLeft, xmp: xmpLeft, icc, iptc } = await sharp(square).metadata()
      expect([exifLeft, xmpLeft, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
      expect(square.includes('gizli')).toBe(false)
    }
  })

  it('[FILE-23] keeps the first frame of an animation', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer()
    const frames = await Promise.all(['#f00', '#0f0', '#00f'].map(frame))
    const animation = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(3)
    const [square = Buffer.alloc(0)] = await cropToSquares(animation, [40])
    expect(await readColour(square, 20, 20)).toEqual([1, 0, 0])
  })

  it('[FILE-23] flattens transparency on white and converts CMYK and greyscale to sRGB', async () => {
    const clear = await sharp({ create: { width: 50, height: 50, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const [white = Buffer.alloc(0)] = await cropToSquares(clear, [50])
    expect(await readColour(white, 25, 25)).toEqual([1, 1, 1])
    const print = await sharp(await createPicture('png'))
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    const grey = await sharp(await createPicture('png'))
      .greyscale()
      .png()
      .toBuffer()
    for (const bytes of [print, grey]) {
      const [square] = await cropToSquares(bytes, [50])
      expect(await sharp(square).metadata()).toMatchObject({ space: 'srgb', width: 50 })
    }
  })

  it('[FILE-23] crops the centre, and does not enlarge', async () => {
    const [small, large] = await cropToSquares(await createPicture('png', 90, 30))
    expect([(await sharp(small).metadata()).width, (await sharp(large).metadata()).width]).toEqual([30, 30])
    expect(await cropToSquares(await createPicture('png', 1, 1))).toHaveLength(2)
    const wide = await createQuarters(400, 200).png().toBuffer()
    const [middle = Buffer.alloc(0)] = await cropToSquares(wide, [100])
    expect([await readColour(middle, 10, 10), await readColour(middle, 90, 10)]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ])
  })
})

describe('concurrent pictures', () => {
  let photo: Buffer
  beforeAll(async () => {
    photo = await createPicture('jpeg', 1_200, 1_200)
  })

  it('[FILE-19] decodes two at once, queues 16, refuses the rest with Busy, and accepts later ones', async () => {
    const outcomes = await Promise.all(Array.from({ length: 24 }, () => pictures.cropToSquares(photo, [192])))
    const busy = outcomes.filter((outcome) => outcome instanceof Refusal)
    expect(busy.length).toBe(24 - 2 - 16)
    for (const refusal of busy) expect(refusal).toMatchObject({ body: { code: 'Busy' } })
    expect(await cropToSquares(photo)).toHaveLength(2)
  })
})
