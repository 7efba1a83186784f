import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

const PICTURE = '.bubble-row[data-status=sent] .media-picture[data-status=loaded]'
const picture = (name: string) => ({ name, mimeType: 'image/png' })

/** Runs in the page. */
function addByEvent({ type, name }: { type: 'drop' | 'paste'; name: string }): void {
  const transfer = new DataTransfer()
  transfer.items.add(new File(['resim'], name, { type: 'image/png' }))
  const init = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer }
  const event = type === 'drop' ? new DragEvent(type, init) : new ClipboardEvent(type, init)
  document.querySelector(type === 'drop' ? '.thread' : '.composer-field')?.dispatchEvent(event)
}

/** Runs in the page. */
function boxesOf(elements: readonly Element[]): object[] {
  return elements.map((element) => element.getBoundingClientRect().toJSON())
}

async function createPng(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

describe('a file in a room', () => {
  journey(
    '[CHATMEDIA-13] [CHATMEDIA-14] [CHATMEDIA-15] a photo and a voice note of two people are seen and heard on a phone, also after a reload, until only the staff may send files',
    async ({ desktop, phone, speaker }) => {
      const ada = await (await desktop()).openRoomAsGuest('Ada')
      const can = await (await phone()).openRoomAsGuest('Can')
      const composer = ada.page.locator('form.composer')

      // Two files at once, of which one is taken out; the text goes with the first.
      const buffer = await createPng(300, 200, '#3366cc')
      await composer.locator('input[data-files]').setInputFiles([
        { ...picture('deniz.png'), buffer },
        { ...picture('yanlış.png'), buffer },
      ])
      await composer.getByRole('button', { name: 'yanlış.png dosyasını çıkar' }).click()
      await ada.composer.fill('Bak şuna')
      await ada.composer.press('Enter')
      await ada.page.locator(PICTURE).waitFor()
      await can.page.locator(PICTURE).waitFor()
      await can.waitForMessage('Bak şuna')

      // Files are dropped on the messages and pasted into the field.
      for (const [type, name] of [
        ['drop', 'bırakılan.png'],
        ['paste', 'yapışan.png'],
      ] as const) {
        await ada.page.evaluate(addByEvent, { type, name })
        await composer.getByRole('button', { name: `${name} dosyasını çıkar` }).click()
      }

      // A click opens it; Back closes it.
      await can.page.getByRole('button', { name: 'Fotoğrafı büyüt' }).click()
      const viewer = can.page.getByRole('dialog', { name: 'Resimler ve videolar' })
      await viewer.getByText('Bak şuna').waitFor()
      await can.page.goBack()
      await viewer.waitFor({ state: 'hidden' })
      expect(new URL(can.page.url()).pathname).toBe('/room/1')

      await composer.getByRole('button', { name: 'Ses kaydet' }).click()
      await expect.poll(() => composer.getByRole('timer').textContent()).toMatch(/^0:0[1-9]$/)
      await composer.getByRole('button', { name: 'Kaydı bitir' }).press('Enter')
      await composer.getByRole('button', { name: 'Ses kaydını gönder' }).click()
      const player = can.page.locator('.bubble-row .audio-player')
      await player.getByRole('button', { name: 'Oynat' }).click()
      await player.getByRole('button', { name: /Duraklat|Oynat/ }).waitFor()

      // The page has the place of each file: nothing moves when their view has loaded.
      let loadView = (): void => {}
      const isWanted = new Promise<void>((resolve) => {
        loadView = resolve
      })
      await can.page.route('**/assets/media-view-*.js', async (route) => {
        await isWanted
        await route.continue()
      })
      await can.page.reload()
      await can.page.locator('.bubble svg > image').waitFor()
      const places = await can.messageLog.locator('.bubble').evaluateAll(boxesOf)
      loadView()
      await can.page.locator(PICTURE).waitFor()
      await player.waitFor()
      expect(await can.messageLog.locator('.bubble').evaluateAll(boxesOf)).toEqual(places)

      // Only the staff may send files from now on: the buttons say so, and a text goes on.
      const attach = composer.getByRole('button', { name: 'Dosya ekle' })
      const rootAdmin = await speaker('Zeynep', { role: 'rootAdmin' })
      await rootAdmin.fetch('/api/rooms/set-media-preference', { roomId: 1, mediaPreference: 'admins' })
      const reason = 'Bu odaya yalnızca oda adminleri dosya gönderebilir.'
      await expect.poll(() => attach.getAttribute('title')).toBe(reason)
      await attach.dispatchEvent('click')
      await composer.getByText(reason).waitFor()
      await ada.sendMessage('Yazı hâlâ olur')
      await can.waitForMessage('Yazı hâlâ olur')
    },
  )
})
