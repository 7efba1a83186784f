/**
 * Draws `card.jpg` and `favicon.ico` of src/client/public. Run by hand, with the font Inter installed, after their
 * drawings have changed; the results are committed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { siteCardSvg } from '../src/server/features/sharing/card-svg.ts'

const client = join(import.meta.dirname, '../src/client')
const ICON_SIDES = [16, 32, 48]
const ICO_HEADER_BYTES = 6
const ICO_ENTRY_BYTES = 16

/** An ICO file of PNG pictures, which all browsers read. */
function icoOf(pictures: { side: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { side, png }] of pictures.entries()) {
    const entry = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index
    head.writeUInt8(side, entry)
    head.writeUInt8(side, entry + 1)
    head.writeUInt16LE(1, entry + 4) // colour planes
    head.writeUInt16LE(32, entry + 6) // bits of a pixel
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const icon = sharp(join(client, 'core/art/icon.svg'), { density: 300 })
const icons = ICON_SIDES.map(async (side) => ({ side, png: await icon.clone().resize(side, side).png().toBuffer() }))
writeFileSync(join(client, 'public/favicon.ico'), icoOf(await Promise.all(icons)))
await sharp(Buffer.from(siteCardSvg()))
  .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
  .toFile(join(client, 'public/card.jpg'))
