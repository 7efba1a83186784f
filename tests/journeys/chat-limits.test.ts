import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

/** With the real wait between entering a room and the first message. */
journey.override('siteEnv', { MEYDAN_LIMIT_SCALE: '100' })

describe('the chat limits', () => {
  journey(
    '[CHAT-05] [CHAT-06] [CHAT-09] show a wait, and the typed text stays in the composer',
    async ({ desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Aceleci')
      const notice = visitor.page.getByRole('status')
      await visitor.composer.fill('hemen')
      await visitor.composer.press('Enter')
      await notice.getByText('10 saniye beklemeniz gerekiyor.').waitFor()
      expect(await visitor.composer.inputValue()).toBe('hemen')
      await notice.getByText('Artık mesaj gönderebilirsiniz.').waitFor()
      // The notice disappears with the end of the wait.
      await visitor.page.locator('.notice-pill').waitFor({ state: 'detached' })
      expect(await visitor.composer.inputValue()).toBe('hemen')
      for (const text of ['Hemen', 'Hemen', 'Hemen', 'Hemen']) {
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
})
