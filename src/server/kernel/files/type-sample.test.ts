import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { detectFileType } from '../../../shared/media/file-types.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { createMp4, mediaSamples } from '../../testing/fixtures/test-media.ts'
import { readTypeSample } from './type-sample.ts'

const temporary = createTemporaryFolder()
afterAll(() => temporary.remove())

async function sampleOf(bytes: Buffer): Promise<Uint8Array> {
  const path = join(temporary.path, 'file')
  writeFileSync(path, bytes)
  return readTypeSample({ path, size: bytes.length })
}

/** A box of a film's pictures. */
function mediaBox(bytes: number, isLong = false): Buffer {
  const head = Buffer.alloc(isLong ? 16 : 8)
  head.writeUInt32BE(isLong ? 1 : bytes + 8)
  head.write('mdat', 4)
  if (isLong) head.writeBigUInt64BE(BigInt(bytes + 16), 8)
  return Buffer.concat([head, randomBytes(bytes)])
}

it.each(Object.entries(mediaSamples))('[MEDIA-51] the type of a large %s is that of its sample', async (_, sample) => {
  const large = Buffer.concat([sample, Buffer.alloc(300_000)])
  expect(detectFileType(await sampleOf(large))).toEqual(detectFileType(large))
  expect(detectFileType(await sampleOf(sample))).toEqual(detectFileType(sample))
})

it.each([false, true])(
  '[MEDIA-51] an MP4 whose movie box comes last is read in parts; long sizes: %s',
  async (isLong) => {
    const mp4 = createMp4('isom', ['soun', 'vide'])
    const start = mp4.readUInt32BE(0)
    const film = Buffer.concat([mp4.subarray(0, start), mediaBox(2_000_000, isLong), mp4.subarray(start)])
    const sample = await sampleOf(film)
    expect(sample.length).toBeLessThan(1_000)
    expect(detectFileType(sample)).toEqual({ mediaType: 'video', extension: 'mp4' })
  },
)

it('[MEDIA-51] an MP4 with lying boxes has no type, and little of it is read', async () => {
  const start = createMp4('isom', ['vide']).subarray(0, 16)
  const huge = Buffer.alloc(16)
  huge.writeUInt32BE(0xffffffff)
  huge.write('moov', 4)
  for (const lie of [huge, Buffer.alloc(16), mediaBox(0), Buffer.from('00000001ffffffffffffffffffffffff', 'hex')]) {
    const bytes = Buffer.concat([start, lie, Buffer.alloc(100_000)])
    expect((await sampleOf(bytes)).length).toBeLessThanOrEqual(bytes.length)
    expect(detectFileType(await sampleOf(bytes))).toBeNull()
  }
})
