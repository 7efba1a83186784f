import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { createWebm } from '../src/server/testing/fixtures/test-media.ts'
import { MAX_FILE_BYTES } from '../src/shared/media/rules.ts'
import { type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'

const ROUNDS = 7
const GOAL = { atMost: 20 }
/** A photo of a phone: 12 megapixels. */
const PHOTO = { width: 4_000, height: 3_000 }

/** Delay of the server's event loop while a file for a direct message is received, stored and answered. */
export async function measure(): Promise<Report> {
  const site = await meydan.start()
  try {
    const { signedIn } = await site.signInGuest()
    const photo = await createPhoto()
    const upload = (file: Uint8Array) => measureDelay(site, () => uploadFile(site, signedIn.token, file))
    // Loads sharp and compiles the code of both.
    for (const file of [createVideo(), photo]) await upload(file)
    const delays = await interleave(ROUNDS, {
      video: () => upload(createVideo()),
      photo: () => upload(photo),
      quiet: () => measureDelay(site, () => new Promise((resolve) => setTimeout(resolve, 500))),
    })
    const figure = (what: string, samples: number[], goal?: { atMost: number }) =>
      standaloneFigure(`event-loop delay, p99, ${what}`, 'ms', samples, goal)
    return {
      figures: [
        figure('during a video of 20 MB', delays.video, GOAL),
        figure('during a photo of 12 megapixels', delays.photo, GOAL),
        figure('without an upload', delays.quiet),
      ],
      notes: [
        `One upload at a time from another process; a sample each millisecond from its first byte to its answer.`,
      ],
    }
  } finally {
    await site.stop()
  }
}

async function measureDelay({ server }: RunningMeydan, action: () => Promise<unknown>): Promise<number> {
  if (!server.loopDelayMs) throw new Error('the server has no probe')
  await server.loopDelayMs()
  await action()
  return server.loopDelayMs()
}

async function uploadFile({ server }: RunningMeydan, token: string, file: Uint8Array): Promise<void> {
  const body = new FormData()
  body.set('media', new Blob([new Uint8Array(file)]))
  const headers = { authorization: `Bearer ${token}`, origin: server.origin, 'idempotency-key': randomUUID() }
  const response = await fetch(`${server.origin}/api/dm/upload-media`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`the upload was refused: ${await response.text()}`)
}

/** A new file each time, because the same content is stored once. */
function createVideo(): Buffer {
  const head = createWebm('webm', ['V_VP9'])
  return Buffer.concat([head, randomBytes(MAX_FILE_BYTES - head.length)])
}

function createPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  return sharp({ create: { ...PHOTO, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
}
