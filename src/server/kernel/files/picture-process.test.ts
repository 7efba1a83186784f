import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AVATAR_TOO_LARGE, PICTURE_UNREADABLE } from '../../../shared/media/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import type { PictureProcessBounds } from './picture-process.ts'
import { PictureProcessor } from './picture-processor.ts'

const MIB = 1024 * 1024
/** Memory of a process with sharp is about 70 MiB; decoding the flat picture takes 450 more. */
const AMPLE_BYTES = 400 * MIB
const TIGHT_BYTES = 160 * MIB
/** The flat picture is decoded within them. */
const UNREACHED_BYTES = 2048 * MIB
/** More than a process takes that decodes nothing, and less than AMPLE_BYTES, which decoding exceeds. */
const MAX_HEADER_BYTES = 300 * MIB
const unreadable = { body: { code: 'UnsupportedMediaType', message: PICTURE_UNREADABLE } }

/** 25 megapixels of one colour in about 850 bytes. */
let flat: Buffer
let photo: Buffer
beforeAll(async () => {
  const create = { width: 5_000, height: 5_000, channels: 3, background: { r: 200, g: 30, b: 30 } } as const
  flat = await sharp({ create }).avif({ effort: 0 }).toBuffer()
  photo = await createPicture('jpeg', 400, 400)
  expect(flat.length).toBeLessThan(2_000)
})

let opened: PictureProcessor[] = []
afterEach(() => {
  for (const pictures of opened) pictures.close()
  opened = []
})

let count = 0
/** Pictures whose processes are found by their argument, which no other test has. */
function openPictures({ maxBytes, ...bounds }: PictureProcessBounds) {
  const uniqueBytes = maxBytes + process.pid * 100 + ++count
  const pictures = new PictureProcessor({ maxBytes: uniqueBytes, ...bounds })
  opened.push(pictures)
  return { pictures, maxBytes: uniqueBytes, running: () => findProcesses(uniqueBytes) }
}

interface FoundProcess {
  pid: number
  peakBytes: number
  environment: string
}

/** The picture processes with this bound that are alive. */
function findProcesses(maxBytes: number): FoundProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`picture-process-main.ts\0${maxBytes}\0`)) return []
      const peakKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      return peakKb ? [{ pid: Number(pid), peakBytes: Number(peakKb) * 1024, environment }] : []
    } catch {
      return []
    }
  })
}

describe.runIf(process.platform === 'linux')('the processes of pictures', () => {
  it('[MEDIA-82] [MEDIA-83] refuse 12 tiny avatars of 25 megapixels at once by their headers, in little memory, and serve a bystander', async () => {
    const { pictures, running } = openPictures({ maxBytes: AMPLE_BYTES })
    const flood = Array.from({ length: 12 }, () => pictures.cropToSquares(flat, [192]))
    const bystander = pictures.cropToSquares(photo, [192])
    for (const outcome of await Promise.all(flood)) {
      expect(outcome).toMatchObject({ body: { code: 'TooLarge', message: AVATAR_TOO_LARGE } })
    }
    expect(await bystander).toHaveLength(1)
    const processes = running()
    expect(processes.length).toBeLessThanOrEqual(2)
    for (const { peakBytes } of processes) expect(peakBytes).toBeLessThan(MAX_HEADER_BYTES)
  })

  it('[MEDIA-83] end when a picture takes more memory than they may have: it is unreadable, and the next one is shown', async () => {
    const { pictures, running } = openPictures({ maxBytes: TIGHT_BYTES })
    const flood = Array.from({ length: 3 }, () => pictures.encodeForMessage(flat))
    const bystander = pictures.encodeForMessage(photo)
    for (const outcome of await Promise.all(flood)) expect(outcome).toMatchObject(unreadable)
    expect(await bystander).toMatchObject({ width: 400, height: 400 })
    expect(running()).toHaveLength(1)
  })

  it('[MEDIA-84] end when a picture takes too long, and the next one is shown', async () => {
    const { pictures } = openPictures({ maxBytes: AMPLE_BYTES, maxJobMs: 1 })
    expect(await pictures.encodeForMessage(photo)).toMatchObject(unreadable)
    const { pictures: patient, running } = openPictures({ maxBytes: AMPLE_BYTES })
    expect(await patient.encodeForMessage(photo)).toMatchObject({ width: 400 })
    const [first] = running()
    process.kill(first?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => patient.encodeForMessage(photo)).toMatchObject({ width: 400 })
    expect(running().map(({ pid }) => pid)).not.toContain(first?.pid)
  })

  it('[MEDIA-84] a process that is killed during a picture refuses it as unreadable', async () => {
    const { pictures, running } = openPictures({ maxBytes: UNREACHED_BYTES })
    const encoded = pictures.encodeForMessage(flat)
    await expect.poll(() => running().length).toBe(1)
    for (const { pid } of running()) process.kill(pid, 'SIGKILL')
    expect(await encoded).toMatchObject(unreadable)
    expect(await pictures.encodeForMessage(photo)).not.toBeInstanceOf(Refusal)
  })

  it('[MEDIA-84] a process that cannot start refuses its picture as unreadable, and the next one is shown', async () => {
    const { pictures } = openPictures({ maxBytes: AMPLE_BYTES })
    const { execPath } = process
    process.execPath = '/nonexistent/node'
    const refused = Array.from({ length: 3 }, () => pictures.encodeForMessage(photo))
    try {
      for (const outcome of await Promise.all(refused)) expect(outcome).toMatchObject(unreadable)
    } finally {
      process.execPath = execPath
    }
    expect(await pictures.encodeForMessage(photo)).toMatchObject({ width: 400 })
  })

  it('[MEDIA-85] end when they are idle, and when the region closes, and get nothing of the environment', async () => {
    const { pictures, running } = openPictures({ maxBytes: AMPLE_BYTES, maxIdleMs: 1 })
    expect(await pictures.encodeForMessage(photo)).not.toBeInstanceOf(Refusal)
    await expect.poll(running).toEqual([])
    const { pictures: closed, running: ofClosed } = openPictures({ maxBytes: AMPLE_BYTES })
    expect(await closed.encodeForMessage(photo)).not.toBeInstanceOf(Refusal)
    const names = ofClosed().flatMap(({ environment }) => environment.split('\0').map((pair) => pair.split('=')[0]))
    expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL_'))).toEqual([])
    closed.close()
    await expect.poll(ofClosed).toEqual([])
  })

  it.each([
    ['decode', () => flat, ''],
    ['are idle', () => photo, 'await encoded'],
  ])('[MEDIA-85] end with a site that is killed while they %s', async (_, picture, wait) => {
    const { maxBytes, running } = openPictures({ maxBytes: UNREACHED_BYTES })
    const file = new URL('./picture-processor.ts', import.meta.url).href
    const script = `setInterval(() => {}, 1_000)
      const { PictureProcessor } = await import(${JSON.stringify(file)})
      const pictures = new PictureProcessor({ maxBytes: ${maxBytes} })
      const encoded = pictures.encodeForMessage(Buffer.from('${picture().toString('base64')}', 'base64'))
      ${wait}
      console.log('ready')`
    const site = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(site.stdout, 'data')
    await expect.poll(() => running().length).toBe(1)
    site.kill('SIGKILL')
    await expect.poll(running).toEqual([])
  })
})
