import { describe, expect } from 'vitest'
import { createSiteRootAdmin, type SiteProcess } from '../drivers/site-process.ts'
import { type ChatPage, MEMBER_PASSWORD } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'

async function enterAsRootAdmin(site: SiteProcess, visitor: ChatPage): Promise<ChatPage> {
  const username = uniqueName('Yetkin')
  return visitor.openRoomAs(username, await createSiteRootAdmin(site, username))
}

/** A word that no other journey writes. */
const uniqueWord = (): string =>
  `sakıncalı${uniqueName('')
    .toLowerCase()
    .replace(/[^a-z]/g, '')}`

describe("'Kelime Filtresi'", () => {
  journey(
    '[FILTER-05] [FILTER-07] [FILTER-09] holds a message back on a phone until a root admin sends it',
    async ({ site, desktop, phone }) => {
      const word = uniqueWord()
      const { page } = await enterAsRootAdmin(site, await phone())
      await page.getByRole('button', { name: 'Ayarlar' }).tap()
      await page.getByRole('button', { name: 'Moderasyon' }).tap()
      const screen = page.getByRole('dialog', { name: 'Moderasyon' })
      await screen.getByRole('button', { name: /^Kelime Filtresi/ }).tap()
      await screen.getByRole('button', { name: 'Söz ekle' }).tap()
      await screen.getByLabel('Sözler (her satıra bir tane').fill(word)
      await screen.getByText('Beklet', { exact: true }).tap()
      await screen.getByRole('button', { name: 'Ekle', exact: true }).tap()
      await screen.getByRole('button', { name: `Düzenle: ${word}` }).waitFor()

      const sender = await (await desktop()).openRoomAsGuest(uniqueName('Lale'))
      const other = await (await desktop()).openRoomAsGuest(uniqueName('Papatya'))
      const text = `Bu ${word}lar ne güzel`
      await sender.sendMessage(text)
      await sender.page.getByText('Mesajın incelemeye alındı').first().waitFor()

      await screen.getByRole('tab', { name: /^Bekleyen/ }).tap()
      const held = screen.getByRole('listitem').filter({ hasText: word })
      await held.waitFor()
      expect(await other.page.getByText(text).count()).toBe(0)
      await held.getByRole('button', { name: 'Gönder' }).tap()
      await other.waitForMessage(text)
      await held.waitFor({ state: 'detached' })
      await expect.poll(() => sender.page.locator('.thread').getByText(text).count()).toBe(1)
    },
  )
})

describe("'Bağlı Hesaplar'", () => {
  journey('[FILTER-21] looks up the user of a profile', async ({ site, desktop }) => {
    const name = uniqueName('Nergis')
    await (await desktop()).openRoomAsGuest(name)
    const { page } = await enterAsRootAdmin(site, await desktop())
    await page.goto(`/room/1?${new URLSearchParams({ profil: name })}`)
    await page
      .getByRole('dialog', { name: 'Profil', exact: true })
      .getByRole('button', { name: 'Diğer işlemler' })
      .click()
    await page.getByRole('menuitem', { name: 'Bağlı Hesaplar' }).click()
    const screen = page.getByRole('dialog', { name: 'Moderasyon' })
    await screen.getByRole('heading', { name: 'Bağlı Hesaplar' }).waitFor()
    await screen.getByRole('status').getByRole('button', { name, exact: true }).waitFor()
    expect(await screen.getByLabel('Kullanıcı adı').inputValue()).toBe(name)
  })

  journey(
    "[FILTER-16] [FILTER-19] is reached from 'Yasaklar'; a member is banned with the browser, and the browser freed",
    async ({ site, desktop }) => {
      const name = uniqueName('Zambak')
      const visitor = await desktop()
      // With the page's own browser id, as the forms send it.
      await visitor.page.goto('/')
      const browserId = await visitor.page.evaluate(() => localStorage.getItem('browserId'))
      const member = { username: name, password: MEMBER_PASSWORD, age: 27, termsAccepted: true, browserId }
      await visitor.signInByApi('register', member)
      visitor.errors.allow(/status of 403/)
      const root = await enterAsRootAdmin(site, await desktop())
      await root.openContextMenu()
      await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      const screen = root.page.getByRole('dialog', { name: 'Moderasyon' })
      await screen.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await screen.getByRole('button', { name: 'Tarayıcı ve adres yasakları' }).click()
      await screen.getByRole('heading', { name: 'Bağlı Hesaplar' }).waitFor()
      await screen.getByLabel('Kullanıcı adı').fill(name)
      await screen.getByRole('button', { name: 'Ara', exact: true }).click()
      await screen
        .getByText(/1 tarayıcı/)
        .first()
        .waitFor()

      await screen.getByRole('button', { name: 'Tarayıcı veya adresi yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Tarayıcı veya adresi yasakla' })
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await visitor.page.waitForURL((url) => url.pathname === '/')
      await form.waitFor({ state: 'detached' })
      const lift = screen.getByRole('button', { name: `Tarayıcı yasağını kaldır: ${name}` })
      await lift.click()
      await lift.waitFor({ state: 'detached' })
    },
  )
})
