import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { makeRootAdmin } from '../site.ts'
import { hasFocus, tabAround, tabTo } from './focus.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

const devices = ['phone'] as const
const PATIENT = { timeout: 30_000, interval: 100 }

let times = 0

/** A root admin, who sees every control there is, in a room where somebody answered with a link and a mention. */
const keyboardJourney = journey.extend<{
  sit: (device: 'desktop' | 'phone') => Promise<{ visitor: Visitor; other: Visitor }>
}>({
  sit: ({ site, desktop, phone }, use) =>
    use(async (device) => {
      const other = await (await desktop()).signIn('Ozan', await makeRootAdmin(site, 'Ozan'))
      const time = ++times
      await other.say(`Bak ${time}: https://ornek.com/a`)
      await other.reads(`Bak ${time}: https://ornek.com/a`)
      const visitor = await (device === 'phone' ? phone : desktop)()
      await visitor.signIn('Deniz', await makeRootAdmin(site, 'Deniz'))
      await visitor.page.locator('m-island[data-live]').filter({ has: visitor.log }).waitFor()
      await visitor.say(`@Ozan gördüm ${time}`)
      await visitor.reads(`@Ozan gördüm ${time}`)
      await visitor.page.getByRole('button', { name: /çevrimiçi/ }).waitFor({ state: 'attached' })
      return { visitor, other }
    }),
})

/** By the keyboard: opens what a control opens, closes it by Esc, and is on the control again. */
async function opensAndCloses(page: Page, control: string, opened: string | RegExp): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
  const window = page.getByRole('dialog', { name: opened })
  await window.waitFor()
  await page.waitForFunction(() => document.querySelector('dialog:modal')?.contains(document.activeElement))
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'hidden' })
  await hasFocus(page, control)
}

describe('a room by keyboard alone', () => {
  for (const device of devices) {
    keyboardJourney(`[SHELL-26] on a ${device} Tab comes to every control, and each shows it`, async ({ sit }) => {
      const { page } = (await sit(device)).visitor
      const { stops, unseen } = await tabAround(page)
      const all = [
        '#Meydan',
        'Mesajlarda ara',
        'çevrimiçi',
        'Tüm kullanıcılar',
        'Odadaki kullanıcılar',
        'Temayı değiştir',
      ]
      const thread = [
        '#Meydan mesajları',
        'https://ornek.com/a',
        '@Ozan',
        'Ozan',
        'Yanıtla',
        'Mesaj yaz',
        'Emoji seç',
        'Gönder',
      ]
      const here =
        device === 'phone'
          ? ['Tüm Odalar', 'Ayarlar']
          : ['Tüm Odalar', 'Müzik', 'Oda Yönetimi', 'Kadınlar', 'Erkekler', 'Odadaki kullanıcılarda ara...', 'Deniz']
      const isReached = (name: string) => stops.some((stop) => stop.includes(name))
      expect([...all, ...thread, ...here].filter((name) => !isReached(name))).toEqual([])
      expect(unseen).toEqual([])
    })
  }

  keyboardJourney(
    '[SHELL-05] [SHELL-25] every window of a desk opens, closes by Esc, and gives the focus back',
    async ({ sit }) => {
      const { page } = (await sit('desktop')).visitor
      await opensAndCloses(page, 'Mesajlarda ara', 'Mesajlarda ara')
      await opensAndCloses(page, 'çevrimiçi', 'Genel')
      await opensAndCloses(page, 'Tüm Odalar', /Tüm Odalar/)
      await opensAndCloses(page, 'Oda Yönetimi', 'Oda Yönetimi')
      await tabTo(page, 'Tüm kullanıcılar')
      await page.keyboard.press('Enter')
      await page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
      await hasFocus(page, 'Tüm kullanıcılar')
      await tabTo(page, 'Kullanıcılarda ara...')
      await page.keyboard.type('ozan')
      await expect.poll(() => page.locator('.person-username').allTextContents(), PATIENT).toEqual(['Ozan'])
      await tabTo(page, 'Kadınlar')
      await page.keyboard.press('Space')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    },
  )

  keyboardJourney(
    '[SHELL-05] [SHELL-25] every sheet of a phone opens, closes by Esc, and gives the focus back',
    async ({ sit }) => {
      const { page } = (await sit('phone')).visitor
      await opensAndCloses(page, 'Odadaki kullanıcılar', /Odadakiler/)
      await opensAndCloses(page, 'Tüm Odalar', /Tüm Odalar/)
      await tabTo(page, 'Ayarlar')
      await page.keyboard.press('Enter')
      const settings = page.getByRole('dialog', { name: 'Ayarlar' })
      await settings.waitFor()
      for (const [entry, opened] of [
        ['Oda Bilgileri', '#Meydan'],
        ['Oda Yönetimi', 'Oda Yönetimi'],
        ['Oda Mesajlarını Temizle', 'Oda Mesajlarını Temizle'],
        ['Yasaklı Kullanıcılar', 'Yasaklı Kullanıcılar'],
        ['Genel', 'Genel'],
      ] as const) {
        await tabTo(page, entry)
        await page.keyboard.press('Enter')
        const window = page.getByRole('dialog', { name: opened })
        await window.waitFor()
        await page.keyboard.press('Escape')
        await window.waitFor({ state: 'hidden' })
        // Only what lay on top has closed.
        expect(await settings.isVisible()).toBe(true)
        await hasFocus(page, entry)
      }
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })
      await hasFocus(page, 'Ayarlar')
    },
  )
})
