import { describe, expect } from 'vitest'
import { signInAsGuest } from '../drivers/live-connection.ts'
import { insertMessages } from '../fixtures/insert-messages.ts'
import {
  chooseMenuItem,
  expectDialogRoundTrip,
  KEYBOARD_POLL,
  keyboardJourney,
  openMenuByKey,
} from './keyboard-fixtures.ts'
import { collectTabStops, focusedName, tabTo, waitForFocus } from './keyboard-focus.ts'
import { guestRoom, readTree } from './room-tree.ts'

const devices = ['desktop', 'phone'] as const

keyboardJourney(
  '[SHELL-106] the page of a room has these roles and names, and these tab stops, for a guest',
  async ({ site, desktop, phone }) => {
    await signInAsGuest(site.origin, 'Yazan')
    insertMessages(site, 2, ['Selam herkese', 'Bak https://ornek.com/a @Okur'])
    for (const device of devices) {
      const guest = await (device === 'phone' ? phone : desktop)()
      const { page } = await guest.openRoomAsGuest(device === 'phone' ? 'Okur' : 'Bakan', 2)
      await page.getByRole('button', { name: 'Ses kaydet' }).waitFor()
      // The keys of the log load later.
      await page.locator('.bubble-row :is(a, button)[tabindex="-1"]').first().waitFor({ state: 'attached' })
      await expect.poll(async () => `\n${await readTree(page)}`).toBe(guestRoom[device].tree)
      const { stops } = await collectTabStops(page)
      expect(stops.map((stop) => stop.replace(/\d+ kişi/, 'N kişi'))).toEqual(guestRoom[device].stops)
    }
  },
)

describe('a room by keyboard alone', () => {
  for (const device of devices) {
    keyboardJourney(`[SHELL-26] on a ${device} Tab comes to every control, and each shows it`, async ({ sit }) => {
      const { page, composer } = (await sit(device)).visitor
      await page.getByRole('button', { name: 'Ses kaydet' }).waitFor()
      const { stops, unseen } = await collectTabStops(page)
      const all = ['#Meydan', 'Mesajlarda ara', 'çevrimiçi', 'Tüm kullanıcılar', 'Odadaki kullanıcılar', 'Profilim']
      const thread = ['#Meydan mesajları', 'Emoji seç', 'Mesaj yaz', 'Dosya ekle', 'Ses kaydet']
      expect(stops[0]).toBe('Mesaj yazmaya geç')
      // The log is one stop: its messages and their controls are reached by the arrows.
      const at = stops.indexOf('#Meydan mesajları')
      expect(stops.slice(at, at + thread.length)).toEqual(thread)
      const here =
        device === 'phone'
          ? ['Tüm Odalar', 'Ayarlar']
          : ['Tüm Odalar', 'Müzik', 'Oda Yönetimi', 'Kadınlar', 'Erkekler', 'Odadaki kullanıcılarda ara...', 'Deniz']
      const isReached = (name: string) => stops.some((stop) => stop.includes(name))
      expect([...all, ...thread, ...here].filter((name) => !isReached(name))).toEqual([])
      expect(unseen).toEqual([])
      // With a draft the button that sends takes the recorder's place.
      await composer.fill('Bekleyen söz')
      await tabTo(page, 'Gönder')
    })
  }

  keyboardJourney(
    '[SHELL-05] [SHELL-25] every desktop overlay opens, closes by Esc, and returns the focus',
    { tags: 'deep' },
    async ({ sit }) => {
      const { page } = (await sit('desktop')).visitor
      await expectDialogRoundTrip(page, 'Mesajlarda ara', 'Mesajlarda ara')
      await expectDialogRoundTrip(page, 'çevrimiçi', 'Genel')
      await expectDialogRoundTrip(page, 'Tüm Odalar', /Tüm Odalar/)
      await expectDialogRoundTrip(page, 'Oda Yönetimi', 'Oda Yönetimi')
      await tabTo(page, 'Tüm kullanıcılar')
      await page.keyboard.press('Enter')
      await page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
      await waitForFocus(page, 'Tüm kullanıcılar')
      await tabTo(page, 'Kullanıcılarda ara...')
      await page.keyboard.type('ozan')
      await expect.poll(() => page.locator('.person-username').allTextContents(), KEYBOARD_POLL).toEqual(['Ozan'])
      await tabTo(page, 'Kadınlar')
      await page.keyboard.press('Space')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    },
  )

  keyboardJourney(
    '[SHELL-05] [SHELL-07] [SHELL-25] the menu and the stacked sheets of rooms close one by one',
    { tags: 'deep' },
    async ({ sit }) => {
      const { page, messageLog } = (await sit('desktop')).visitor
      const menu = page.getByRole('menu', { name: 'Menü' })
      const details = page.getByRole('dialog', { name: '#Meydan' })
      await tabTo(page, '#Meydan mesajları')
      await openMenuByKey(page, menu, 'Shift+F10')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      await waitForFocus(page, '#Meydan mesajları')
      await openMenuByKey(page, menu, 'ContextMenu')
      await chooseMenuItem(page, 'Oda Bilgileri')
      await details.waitFor()
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'hidden' })
      await waitForFocus(page, '#Meydan mesajları')

      await tabTo(page, 'Tüm Odalar', 'Shift+Tab')
      await page.keyboard.press('Enter')
      const all = page.getByRole('dialog', { name: /Tüm Odalar/ })
      await all.waitFor()
      await tabTo(page, '#Meydan: Oda Bilgileri')
      await page.keyboard.press('Enter')
      await details.waitFor()
      await tabTo(page, 'KADRO')
      await page.keyboard.press('Enter')
      await details.getByRole('heading', { name: 'Oda Kadrosu' }).waitFor()
      await waitForFocus(page, 'KADRO')
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'hidden' })
      expect(await all.isVisible()).toBe(true)
      await waitForFocus(page, '#Meydan: Oda Bilgileri')
      await tabTo(page, 'Müzik')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await all.waitFor({ state: 'hidden' })
      await messageLog.and(page.getByRole('log', { name: '#Müzik mesajları' })).waitFor()
      expect(await focusedName(page)).not.toBe('')
    },
  )

  keyboardJourney(
    '[SHELL-05] [SHELL-25] every phone sheet opens, closes by Esc, and returns the focus',
    { tags: 'deep' },
    async ({ sit }) => {
      const { page } = (await sit('phone')).visitor
      await expectDialogRoundTrip(page, 'Odadaki kullanıcılar', /Odadakiler/)
      await expectDialogRoundTrip(page, 'Tüm Odalar', /Tüm Odalar/)
      await tabTo(page, 'Ayarlar')
      await page.keyboard.press('Enter')
      const settings = page.getByRole('dialog', { name: 'Ayarlar' })
      await settings.waitFor()
      for (const [entry, opened] of [
        ['Oda Bilgileri', '#Meydan'],
        ['Oda Yönetimi', 'Oda Yönetimi'],
        ['Oda Mesajlarını Temizle', 'Oda Mesajlarını Temizle'],
        ['Moderasyon', 'Moderasyon'],
        ['Genel', 'Genel'],
      ] as const) {
        await tabTo(page, entry)
        await page.keyboard.press('Enter')
        const window = page.getByRole('dialog', { name: opened })
        await window.waitFor()
        await page.keyboard.press('Escape')
        await window.waitFor({ state: 'hidden' })
        // Only the topmost overlay has closed.
        expect(await settings.isVisible()).toBe(true)
        await waitForFocus(page, entry)
      }
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })
      await waitForFocus(page, 'Ayarlar')
    },
  )
})
