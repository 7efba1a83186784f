import sharp from 'sharp'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const PICTURE = '.bubble-row[data-status=sent] .media-picture[data-status=loaded]'

async function createSunset(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><linearGradient id="g" x2="0" y2="1">
    <stop stop-color="#2b3a67"/><stop offset=".6" stop-color="#e08e45"/><stop offset="1" stop-color="#3d2b1f"/>
  </linearGradient><rect width="1200" height="800" fill="url(#g)"/></svg>`
  return sharp(Buffer.from(svg)).jpeg().toBuffer()
}

/** One second of silence, as WAV. */
function createSilence(): Buffer {
  const samples = 8_000
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  for (const [at, value, bytes] of [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, samples, 4],
    [28, samples, 4],
    [32, 1, 2],
    [34, 8, 2],
  ] as const)
    head.writeUIntLE(value, at, bytes)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

async function addFile({ page }: ChatPage, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await page.locator('form.composer input[data-files]').setInputFiles({ name, mimeType, buffer })
  await page.getByText(name).waitFor()
}

/** Enters room 1 and sends a picture with a text, one without, and a recording. */
async function enterWithMedia(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  const { page, composer } = visitor
  const sunset = await createSunset()
  await addFile(visitor, 'sahil.jpg', 'image/jpeg', sunset)
  await composer.fill('Dün akşamki gün batımı, sahilden')
  await composer.press('Enter')
  await addFile(visitor, 'ses.wav', 'audio/wav', createSilence())
  await composer.press('Enter')
  await page.locator(PICTURE).waitFor()
  await page.locator('.bubble-row[data-status=sent] .audio-player').waitFor()
  await page.locator('.person-viewer').waitFor({ state: 'attached' })
}

/** Files in a room. */
export const roomMediaScreens: Screen[] = [
  {
    name: 'room-media',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithMedia(visitor, site)
      await addFile(visitor, 'konser afişi.jpg', 'image/jpeg', await createSunset())
    },
  },
  {
    name: 'room-media-viewer',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithMedia(visitor, site)
      await visitor.page.getByRole('button', { name: 'Fotoğrafı büyüt' }).click()
      await visitor.page
        .getByRole('dialog', { name: 'Resimler ve videolar' })
        .getByText(/gün batımı/)
        .waitFor()
    },
  },
]
