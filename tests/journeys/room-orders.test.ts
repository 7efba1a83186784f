import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { openRoomOrder } from '../screens/room-order-screens.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const DAY_MS = 24 * 60 * 60_000

const waitForToast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()
const waitForRoomNamed = ({ page }: ChatPage, name: string) => page.getByRole('heading', { name: `#${name}` }).waitFor()

async function give(site: Site, { page }: ChatPage, lira: number): Promise<void> {
  const userId = Number(await page.evaluate(() => JSON.parse(atob((localStorage.token ?? '').split('.')[1] ?? '')).sub))
  giveMoney(join(site.dataFolder, 'meydan.db'), { userId, amountKurus: lira * 100 })
}

const setExpiry = (site: Site, name: string, at: number) =>
  updateSiteDatabase(site, 'update room set expiryDate = ? where name = ?', String(Math.floor(at)), name)

async function openOwnRooms(visitor: ChatPage): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Odalarım').click()
  await visitor.page.getByRole('tab', { name: /^Odalarım/ }).waitFor()
}

/** Confirms both lists and the amount of the extension. */
async function extend({ page }: ChatPage): Promise<void> {
  await page.getByRole('radio', { name: /^3 Ay/ }).check()
  await page.getByRole('button', { name: 'Devam et' }).click()
  await page.getByRole('button', { name: 'Devam et · 90 ₺' }).click()
  await page.getByRole('button', { name: 'Süreyi uzat · 90 ₺' }).click()
}

describe('a member who orders a room', () => {
  journey(
    '[ORDER-10] [ORDER-11] [SHELL-101] does it by keyboard, and others see the room at once',
    async ({ site, desktop }) => {
      const member = await (await desktop()).enterAsMember('Ada')
      const guest = await (await desktop()).openRoomAsGuest('Konuk')
      member.errors.allow(/status of 409/)
      const { page } = member
      const name = 'Kitap Kulübü'
      const press = (...keys: string[]) =>
        keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

      await page.getByRole('button', { name: 'Yeni Oda Aç' }).focus()
      await press('Enter')
      const wizard = page.getByRole('dialog', { name: 'Yeni Oda Siparişi' })
      await wizard.getByRole('group', { name: 'Odanın adı ne olsun?' }).waitFor()
      await press('Enter')
      await waitForToast(member, 'Oda adınız en az 1 harf olmalıdır!')
      const nameField = wizard.getByRole('textbox', { name: 'Odanın adı ne olsun?' })
      const described = () =>
        nameField.evaluate(
          (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
        )
      expect([await nameField.getAttribute('aria-invalid'), await described()]).toEqual(['true', 'Odana bir ad ver.'])
      expect(await nameField.evaluate((field) => field === document.activeElement)).toBe(true)
      await page.keyboard.type('Kral Admin')
      await press('Enter')
      await wizard.getByText('Bu oda adı kullanılamaz.').waitFor()
      await press('Control+a')
      await page.keyboard.type('sohbet')
      await wizard.getByText('Bu oda adı alınmış. Lütfen başka bir ad seç.').waitFor()
      await press('Control+a')
      await page.keyboard.type(name)
      await press('Enter')
      await wizard.getByRole('group', { name: 'Odanın süresi ne kadar olsun?' }).waitFor()
      expect(await wizard.getByRole('radio', { name: /^1 Ay/ }).isChecked()).toBe(true)
      await press('ArrowDown', 'Enter')
      await wizard.getByRole('group', { name: 'Odanın limiti ne olsun?' }).waitFor()
      await wizard.getByRole('button', { name: 'Devam et · 90 ₺' }).waitFor()
      await press('Escape')
      await wizard.getByRole('radio', { name: /^3 Ay/, checked: true }).waitFor()
      // Back goes a step back, too, and leaves no page.
      await page.goBack()
      expect(await wizard.getByPlaceholder('Oda Adı').inputValue()).toBe(name)
      await press('Enter')
      await wizard.getByRole('radio', { name: /^3 Ay/, checked: true }).waitFor()
      await press('Enter', 'Enter')
      await wizard.getByRole('group', { name: 'Odan Tüm Odalar da görünsün mü?' }).waitFor()
      expect(await wizard.getByRole('radio', { name: /Odam listelensin!/ }).isChecked()).toBe(true)
      await wizard.getByRole('button', { name: 'Siparişi Onayla · 100 ₺' }).waitFor()
      await press('Enter')
      await wizard.locator('.purchase-problem').getByText('Yetersiz bakiye! 100 ₺ daha gerekiyor.').waitFor()
      await wizard.getByRole('button', { name: 'Bakiye Yükle' }).press('Enter')
      const load = page.getByRole('dialog', { name: 'Bakiye Yükleme Talebi' })
      await load.waitFor()
      await press('Escape')
      await load.waitFor({ state: 'detached' })

      await give(site, member, 100)
      await wizard.getByRole('button', { name: 'Siparişi Onayla · 100 ₺' }).press('Enter')
      await waitForRoomNamed(member, name)
      await wizard.waitFor({ state: 'detached' })
      await guest.page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
      await guest.page
        .getByRole('dialog')
        .getByRole('link', { name: new RegExp(name) })
        .click()
      await waitForRoomNamed(guest, name)
    },
  )

  journey('[ORDER-11] is a guest on a phone, and is led to the sign-up', { tags: 'deep' }, async ({ phone }) => {
    const { page } = await (await phone()).openRoomAsGuest('Konuk')
    await page.getByRole('button', { name: 'Ayarlar' }).click()
    await page.getByRole('button', { name: 'Oda Oluştur' }).click()
    await page.getByRole('dialog', { name: 'Üye Ol' }).waitFor()
  })
})

describe('a room whose term ends', () => {
  journey(
    '[ORDER-31] [ORDER-35] [ORDER-36] [ORDER-42] is extended on a phone, closes with its people led away, and comes back',
    async ({ site, desktop, phone }) => {
      const owner = await (await phone()).enterAsMember('Can')
      const { page } = owner
      await give(site, owner, 290)
      const name = 'Satranç'
      await openRoomOrder(owner)
      await page.getByPlaceholder('Oda Adı').fill(name)
      for (const label of ['Devam et', 'Devam et', 'Devam et · 100 ₺'])
        await page.getByRole('button', { name: label, exact: true }).click()
      await page.getByRole('button', { name: 'Siparişi Onayla · 110 ₺' }).click()
      await waitForRoomNamed(owner, name)
      const roomPath = new URL(page.url()).pathname

      setExpiry(site, name, Date.now() + 2.5 * DAY_MS)
      await openOwnRooms(owner)
      await page.getByRole('button', { name: `#${name}: Son 3 gün, Süreyi uzat` }).click()
      await extend(owner)
      for (const dialog of ['Süreyi uzat', 'Odalarım'])
        await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' })

      const guest = await (await desktop()).openRoomAsGuest('Konuk', Number(roomPath.split('/').at(-1)))
      setExpiry(site, name, Date.now() - 8 * DAY_MS)
      for (const visitor of [guest, owner]) {
        await waitForToast(visitor, 'Bu odanın süresi doldu. Meydan odasına geçtin.')
        await waitForRoomNamed(visitor, 'Meydan')
      }

      // The last room of the browser, which it opens after a sign-in.
      await guest.page.goto(roomPath)
      await waitForRoomNamed(guest, 'Meydan')
      await openOwnRooms(owner)
      await page.getByText('Henüz bir odanız yok').waitFor()
      await page.getByRole('tab', { name: /^Ödenmemiş Odalarım/ }).click()
      await page.getByText('Süresi Doldu').waitFor()
      expect(await page.getByRole('link', { name: new RegExp(name) }).count()).toBe(0)
      await page.getByRole('button', { name: `#${name}: Bilgi` }).click()
      await page.getByText(/yeniden açmak için son şansın/).waitFor()
      await page.getByRole('button', { name: 'Süreyi uzat' }).click()
      await extend(owner)
      await waitForRoomNamed(owner, name)
      expect(new URL(page.url()).pathname).toBe(roomPath)
      await guest.page
        .getByRole('navigation', { name: 'Odalar' })
        .getByRole('link', { name: new RegExp(name) })
        .waitFor()
    },
  )

  journey(
    '[ORDER-31] is left by a tab that learns it from its refused join',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Geçen')
      await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((frame) => {
          if (frame.includes('joinRoom') && visitor.page.url().endsWith('/room/4'))
            updateSiteDatabase(site, 'update room set isActive = 0 where id = 4')
          server.send(frame)
        })
      })
      await visitor.page.goto('/room/4')
      await waitForRoomNamed(visitor, 'Meydan')
    },
  )
})
