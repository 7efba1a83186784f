import { describe, expect } from 'vitest'
import type { ChatPage } from './chat-page.ts'
import { type JourneyFixtures, journey } from './journey.ts'

/** With the real wait between entering a room and the first message. */
const waitJourney = journey.extend<Pick<JourneyFixtures, 'siteEnv'>>({
  siteEnv: [{ MEYDAN_LIMIT_SCALE: '100' }, { scope: 'file' }],
})

const DEFERRED = 'Mesajın süre bitince gönderilecek.'

/** The notice stands between the log and the composer. */
async function expectNoticeToCoverNothing({ page, composer, messageLog }: ChatPage): Promise<void> {
  const [pill, field, log] = await Promise.all(
    [page.locator('.notice-pill'), composer, messageLog].map((part) => part.boundingBox()),
  )
  if (!pill || !field || !log) throw new Error('a part is not drawn')
  expect(pill.y).toBeGreaterThanOrEqual(log.y + log.height)
  expect(pill.y + pill.height).toBeLessThanOrEqual(field.y)
}

describe('the chat limits', () => {
  waitJourney(
    '[CHAT-05] [CHAT-06] [CHAT-09] [CHAT-72] [CHAT-73] show a wait, at whose end the text is sent',
    async ({ desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Aceleci')
      const notice = visitor.page.getByRole('status')
      await visitor.composer.fill('hemen')
      await visitor.composer.press('Enter')
      await notice.getByText('10 saniye beklemeniz gerekiyor.').waitFor()
      expect(await visitor.composer.inputValue()).toBe('hemen')
      // The notice covers no message, and the send button counts down.
      const send = visitor.page.getByRole('button', { name: 'Gönder', exact: true })
      await send.getByText(/^\d+ sn$/).waitFor()
      await expectNoticeToCoverNothing(visitor)

      await notice.getByText(DEFERRED).waitFor()
      await notice.getByText('Artık mesaj gönderebilirsiniz.').waitFor()
      await visitor.waitForMessage('Hemen')
      expect(await visitor.composer.inputValue()).toBe('')
      await visitor.page.locator('.notice-pill').waitFor({ state: 'detached' })
      expect(await visitor.bubble('Hemen').count()).toBe(1)
      expect(await visitor.page.locator('.composer-send .time-left').count()).toBe(0)
      for (const text of ['Hemen', 'Hemen', 'Hemen']) {
        await visitor.composer.fill(text)
        await visitor.composer.press('Enter')
      }
      await visitor.composer.fill('bir daha')
      await visitor.composer.press('Enter')
      await notice.getByText('Arka arkaya çok fazla mesaj gönderdiniz.').waitFor()
      expect(await visitor.composer.inputValue()).toBe('bir daha')
      expect(await visitor.bubble('Hemen').count()).toBe(4)
    },
  )

  waitJourney(
    '[CHAT-72] a text that is called back or emptied in the wait is not sent at its end',
    { tags: 'deep' },
    async ({ phone }) => {
      const visitor = await (await phone()).openRoomAsGuest('Vazgeçen')
      const { page, composer } = visitor
      const deferred = page.getByRole('status').getByText(DEFERRED)
      await composer.fill('bir')
      await composer.press('Enter')
      await page.getByRole('button', { name: 'Gönderme', exact: true }).click()
      await deferred.waitFor({ state: 'detached' })
      await composer.press('Enter')
      await deferred.waitFor()
      await expectNoticeToCoverNothing(visitor)
      await composer.fill('')
      await deferred.waitFor({ state: 'detached' })
      await page
        .locator('.composer-send')
        .getByText(/^\d+ sn$/)
        .waitFor()
      await composer.fill('yazılıyor')
      await page.getByRole('status').getByText('Artık mesaj gönderebilirsiniz.').waitFor()
      await page.locator('.notice-pill').waitFor({ state: 'detached' })
      expect(await composer.inputValue()).toBe('yazılıyor')
      expect(await visitor.messageTexts()).not.toContain('Bir')
    },
  )
})
