import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { decodeClientFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import type { LiveUser } from '../drivers/live-user.ts'
import { journey } from './journey.ts'
import { arrowTo, waitForFocus } from './keyboard-focus.ts'

const REFUSAL_TEXT = 'Beklenmeyen bir hata oluştu. Lütfen tekrar dene.'

/** Refuses the page's messages in place of the server while `isOn`. */
async function refuseMessages(page: Page): Promise<{ isOn: boolean; count: number }> {
  const refusals = { isOn: false, count: 0 }
  await page.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      const values = decodeClientFrame(frame as Buffer) ?? [] // frames are binary
      const sent = values.find((value) => value[0] === Kind.request && value[2] === 'sendMessage')
      if (!sent || !refusals.isOn) return server.send(frame)
      refusals.count++
      socket.send(Buffer.from(encode([Kind.refusal, sent[1], { code: 'Failed', message: REFUSAL_TEXT }])))
    })
  })
  return refusals
}

/** The texts of the messages that have come to a user without a browser, in this order. */
const receivedTexts = ({ connection }: LiveUser): string[] =>
  connection.receivedEvents('message').map(({ content }) => content)

/** How a user clicks a button of a message. */
const presses = [
  { input: 'the mouse', device: 'desktop', press: (button: Locator) => button.click() },
  { input: 'touch', device: 'phone', press: (button: Locator) => button.tap() },
  {
    input: 'the keyboard',
    device: 'desktop',
    press: async (button: Locator) => {
      await arrowTo(button.page(), `${await button.textContent()}: `)
      await button.and(button.page().locator(':focus')).press('Enter')
    },
  },
] as const

describe('messages in a room', () => {
  journey(
    "[CHAT-10] [CHAT-16] [ROOM-11] two guests receive each other's messages at once",
    async ({ desktop, speaker }) => {
      const ayse = await (await desktop()).openRoomAsGuest('Ayşe')
      const mert = await speaker('Mert')
      await ayse.waitForUsers('Ayşe', 'Mert')

      await ayse.sendMessage('merhaba, kimse var mı?')
      await mert.waitForMessage('Merhaba, kimse var mı?')
      await mert.sendMessage('buradayım :)')
      await ayse.waitForMessage('Buradayım 🙂')
      await ayse.sendMessage('ne güzel')
      await mert.waitForMessage('Ne güzel')
      const expectedTexts = ['Merhaba, kimse var mı?', 'Buradayım 🙂', 'Ne güzel']
      await ayse.waitForMessage('Ne güzel')
      expect(await ayse.messageTexts()).toEqual(expectedTexts)
      expect(receivedTexts(mert)).toEqual(expectedTexts)
    },
  )

  journey(
    '[CHAT-01] three guests and a later one see the same messages in the same order',
    { tags: 'deep' },
    async ({ desktop, speaker }) => {
      const first = await (await desktop()).openRoomAsGuest('Birinci')
      const others = await Promise.all(['İkinci', 'Üçüncü'].map((name) => speaker(name)))
      const people = [first, ...others]
      const texts = ['Birinci konuşuyor', 'İkinci konuşuyor', 'Üçüncü konuşuyor']
      await Promise.all(people.map((person, index) => person.sendMessage(texts[index] ?? '')))
      for (const person of people) for (const text of texts) await person.waitForMessage(text)

      const latecomer = await (await desktop()).openRoomAsGuest('Geçkalan')
      const thread = await latecomer.messageTexts()
      for (const seen of [await first.messageTexts(), ...others.map(receivedTexts)]) expect(seen).toEqual(thread)
    },
  )

  journey('[CHAT-18] Enter sends the message, and Shift+Enter breaks the line', async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAs('Satırcı', await site.createRootAdmin('Satırcı'))
    await visitor.composer.pressSequentially('bir')
    await visitor.composer.press('Shift+Enter')
    await visitor.composer.pressSequentially('iki')
    expect(await visitor.composer.inputValue()).toBe('bir\niki')
    await visitor.composer.press('Enter')
    await visitor.messageLog.locator('.bubble-text', { hasText: /^Bir\niki$/ }).waitFor()
    expect(await visitor.composer.inputValue()).toBe('')
  })
})

describe('a message that failed', () => {
  for (const { input, device, press } of presses) {
    journey(
      `[CHAT-16] [SHELL-23] is sent once by 'Tekrar dene' and removed by 'Sil', clicked with ${input}`,
      { tags: 'deep' },
      async ({ site, desktop, phone, speaker }) => {
        const reader = await speaker('Okur')
        const writer = await { desktop, phone }[device]()
        const { page } = writer
        const refusals = await refuseMessages(page)
        await writer.openRoomAs('Israrcı', await site.createRootAdmin('Israrcı'))
        const [retried, discarded, last] = ['Yeniden', 'Silinen', 'Sonraki']
        const pressAction = async (text: string, action: string): Promise<void> => {
          const failed = writer.bubble(text, 'failed')
          await failed.getByText(REFUSAL_TEXT).waitFor()
          await press(failed.getByRole('button', { name: new RegExp(`^${action}: `) }))
          // The clicked button disappears.
          await waitForFocus(page, 'mesajları')
        }

        refusals.isOn = true
        await writer.sendMessage(retried)
        await pressAction(retried, 'Tekrar dene')
        await expect.poll(() => refusals.count).toBe(2)
        await writer.bubble(retried, 'failed').waitFor()
        refusals.isOn = false
        await pressAction(retried, 'Tekrar dene')
        await writer.waitForMessage(retried)
        await reader.waitForMessage(retried)

        refusals.isOn = true
        await writer.composer.focus()
        await writer.sendMessage(discarded)
        await pressAction(discarded, 'Sil')
        await writer.bubble(discarded).waitFor({ state: 'detached' })
        refusals.isOn = false
        await writer.sendMessage(last)
        await reader.waitForMessage(last)
        await page.reload()
        await writer.waitForMessage(last)
        expect(await writer.messageTexts()).toEqual([retried, last])
        expect(receivedTexts(reader)).toEqual([retried, last])
      },
    )
  }
})
