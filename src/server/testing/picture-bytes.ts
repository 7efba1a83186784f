import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A picture of noise in one of the formats, `width` by `height` pixels. */
export function createPicture(
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff',
  width = 80,
  height = 60,
): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width, height, channels: 3, background: '#808080', noise } as const
  const quickly = { gif: { effort: 1 }, avif: { effort: 0 }, jpeg: {}, png: {}, webp: {}, tiff: {} }
  return sharp({ create }).toFormat(format, quickly[format]).toBuffer()
}

/** A PNG of this size whose pixels are all black, one bit each: few bytes, however many pixels. */
export function createHugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const rows = Buffer.alloc(Math.min(height, 5_000) * (1 + Math.ceil(width / 8)))
  const chunks = [
    encodePngChunk('IHDR', head),
    encodePngChunk('IDAT', deflateSync(rows)),
    encodePngChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function encodePngChunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  data.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8)
  return whole
}
