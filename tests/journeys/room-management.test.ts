import { describe, expect } from 'vitest'
import { MAX_GREETING_LENGTH } from '../../src/shared/room-management/limits.ts'
import { SLOW_MODE_TEXT } from '../../src/shared/room-management/slow-mode-text.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { assertNoXss, XSS_CORPUS } from './assert-no-xss.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const ROOM = 2

/** Gives the room an owner, and more messages than a page shows. */
function prepareRoom(site: Site, owner: string): void {
  updateSiteDatabase(
    site,
    `update room set ownerId = (select id from user where username = '${owner}') where id = ${ROOM}`,
  )
  updateSiteDatabase(
    site,
    `with recursive number (n) as (select 1 union all select n + 1 from number where n < 60)
     insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
     select ${ROOM}, (select id from user where username = '${owner}'), 'Söz ' || n, 0, null, hex(randomblob(16)), n from number`,
  )
}

/** The texts in as few greetings as they fit into. */
function greetingsOf(texts: readonly string[]): string[] {
  const greetings = ['']
  for (const text of texts) {
    const joined = `${greetings.at(-1)} ${text}`.trim()
    if (joined.length > MAX_GREETING_LENGTH) greetings.push(text)
    else greetings[greetings.length - 1] = joined
  }
  return greetings
}

interface ToastLook {
  text: string
  role: string | null
  /** The colours of its edge and of its icon. */
  colors: string[]
  icon: string
}

/** Keeps how each toast looks that is shown from now on, because toasts go by themselves. */
async function recordToasts({ page }: ChatPage): Promise<() => Promise<ToastLook[]>> {
  await page.evaluate(() => {
    const seen = new Map<Element, object>()
    const record = (): void => {
      for (const toast of document.querySelectorAll('.toast')) {
        const icon = toast.querySelector('.icon')
        if (!icon || seen.has(toast)) continue
        const colors = [getComputedStyle(toast).borderLeftColor, getComputedStyle(icon).color]
        const text = toast.querySelector('p')?.textContent
        seen.set(toast, { text, role: toast.getAttribute('role'), colors, icon: icon.innerHTML })
      }
      document.documentElement.dataset.toasts = JSON.stringify([...seen.values()])
    }
    record()
    new MutationObserver(record).observe(document.body, { subtree: true, childList: true })
  })
  return () => page.evaluate(() => JSON.parse(document.documentElement.dataset.toasts ?? '[]'))
}

/** The toast with this text informs: it has the colour and the icon of information, not of an error, and waits to be read. */
async function expectInfoToast(
  { page }: ChatPage,
  shownToasts: () => Promise<ToastLook[]>,
  text: RegExp,
): Promise<void> {
  const find = async () => (await shownToasts()).find((toast) => text.test(toast.text))
  await expect.poll(find).toBeDefined()
  const info = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--info)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
  expect(await find()).toMatchObject({
    role: 'status',
    colors: [info, info],
    icon: expect.stringMatching(/^<circle.*M12 11v5/),
  })
}

async function openManagement({ page }: ChatPage) {
  await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
  return page.getByRole('dialog')
}

describe("'Oda Yönetimi'", () => {
  journey(
    '[SHELL-130] [MANAGE-01] [MANAGE-04] [MANAGE-05] [MANAGE-06] an owner names an admin, who greets a guest and slows the room down',
    async ({ site, desktop, phone }) => {
      const owner = await (await desktop()).enterAsMember('Sahibe')
      const admin = await (await desktop()).enterAsMember('Yardımcı')
      prepareRoom(site, 'Sahibe')
      for (const { page } of [owner, admin]) await page.goto(`/room/${ROOM}`)

      const adminDialog = await openManagement(admin)
      await adminDialog.getByText('Kapasite').waitFor()
      expect(await adminDialog.locator('.room-management-row').count()).toBe(0)
      const dialog = await openManagement(owner)
      await dialog.getByRole('button', { name: 'Adminler' }).press('Enter')
      owner.errors.allow(/status of 404/)
      await dialog.getByLabel('Kullanıcı adı').fill('hiç kimse')
      await dialog.getByRole('button', { name: 'Ekle' }).click()
      await dialog.getByRole('alert').filter({ hasText: 'Kullanıcı bulunamadı.' }).waitFor()
      await dialog.getByLabel('Kullanıcı adı').fill('yardımcı')
      await dialog.getByLabel('Kullanıcı adı').press('Enter')
      await dialog.getByRole('button', { name: 'Adminlikten çıkar: Yardımcı' }).waitFor()

      // The open dialog of the new admin gets the sections without a reload.
      await admin.page.getByText('odasının admini oldun.').waitFor()
      await adminDialog.getByRole('button', { name: 'Karşılama mesajı' }).click()
      expect(await adminDialog.getByRole('button', { name: 'Adminler' }).count()).toBe(0)
      await adminDialog.getByRole('textbox', { name: 'Karşılama mesajı' }).fill('Hoş geldiniz\nKeyfinize bakın')
      await adminDialog.getByRole('button', { name: 'Kaydet' }).click()
      await admin.page.getByText('Karşılama mesajı kaydedildi.').waitFor()
      await admin.page.keyboard.press('Escape')

      const guest = await (await phone()).openRoomAsGuest('Konuk', ROOM)
      const guestToasts = await recordToasts(guest)
      const greeting = guest.page.getByRole('region', { name: '#Sohbet karşılaması' })
      await greeting.getByText('Keyfinize bakın').waitFor()
      await greeting.getByRole('button', { name: 'Karşılama mesajını kapat' }).click()
      await adminDialog.getByRole('button', { name: /Yavaş mod/ }).click()
      await adminDialog.getByText('30 sn', { exact: true }).click()
      await expectInfoToast(guest, guestToasts, /yavaş mod açıldı/)
      await guest.sendMessage('selam')
      await guest.page.getByText(SLOW_MODE_TEXT).waitFor()
      await guest.composer.fill('yine ben')
      await guest.composer.press('Enter')
      expect(await guest.composer.inputValue()).toBe('yine ben')
      await guest.page.reload()
      await guest.waitForMessage('Selam')
      expect(await greeting.count()).toBe(0)

      // Rights that end close the section.
      const adminToasts = await recordToasts(admin)
      await dialog.getByRole('button', { name: 'Adminlikten çıkar: Yardımcı' }).click()
      await admin.page.getByRole('dialog', { name: 'Oda Yönetimi' }).getByText('Kapasite').waitFor()
      expect(await adminDialog.locator('.room-management-row').count()).toBe(0)
      await expectInfoToast(admin, adminToasts, /admini değilsin/)
      await owner.page.keyboard.press('Escape')
      await expect.poll(() => owner.page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Adminler/)
    },
  )

  journey(
    '[MANAGE-05] [MANAGE-09] greetings and previews of popups run no script of their text',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const owner = await (await desktop()).enterAsMember('Yazan')
      prepareRoom(site, 'Yazan')
      const { page } = owner
      // The purifier parses in a document of its own, where our policy already reports violations.
      owner.errors.allow(/Content Security Policy/)
      const token = await page.evaluate(() => localStorage.getItem('token'))
      for (const text of greetingsOf(XSS_CORPUS)) {
        const call = { headers: { Authorization: `Bearer ${token}` }, data: { greetingMessage: text } }
        expect((await page.request.put(`/api/rooms/${ROOM}/greeting-message`, call)).status()).toBe(200)
        await page.goto(`/room/${ROOM}`)
        await page.getByRole('region', { name: '#Sohbet karşılaması' }).getByText(text, { exact: true }).waitFor()
        await assertNoXss(page)
      }
      const dialog = await openManagement(owner)
      await dialog.getByRole('button', { name: 'Duyuru gönder' }).click()
      for (const text of XSS_CORPUS) {
        await dialog.getByRole('textbox', { name: 'Duyuru' }).fill(`<b>Baş</b>${text}`)
        await dialog.locator('.popup-message').getByText('Baş').waitFor()
        await assertNoXss(page)
      }
    },
  )
})
