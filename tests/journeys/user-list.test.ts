import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { journey } from './journey.ts'
import {
  connectGuestsNamed,
  PREMIUM_FILTER_TEXT,
  profileDialog,
  userList,
  userRow,
  userSearchField,
  waitForUserList,
} from './user-list-fixtures.ts'

/** An answer of a failing server. */
const SERVER_ERROR = { status: 500, json: { success: false, code: 'Failed', message: '' } }
/** The panel's island once it is live. */
const LIVE_USER_LIST_SELECTOR = 'm-island[data-name*=panel-host][data-live]'

/** Resolves when the row of this user has the focus. */
async function waitForFocusedRow(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (expected) => document.activeElement?.querySelector('.person-username')?.textContent === expected,
    name,
  )
}

describe('the user list of a room', () => {
  journey(
    '[PRES-12] [PRES-13] is searched while typing, and filtered by gender for those with the right',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      const everybody = ['Işılay', 'Süzen', 'Nergis']
      const guest = await (await desktop()).openRoomAsGuest('Işılay')
      await waitForUserList(guest, 'Işılay')
      const root = await (await desktop()).openRoomAs('Süzen', await site.createRootAdmin('Süzen'))
      await waitForUserList(root, 'Süzen')
      await speaker('Nergis', { gender: 'female' })
      await guest.waitForUsers(...everybody)
      await userSearchField(guest.page).fill('IŞI')
      await guest.waitForUsers('Işılay')
      await userSearchField(guest.page).fill('')
      await guest.waitForUsers(...everybody)

      await guest.page.getByRole('button', { name: 'Kadınlar' }).click()
      await guest.page.getByText(PREMIUM_FILTER_TEXT).first().waitFor()
      await guest.waitForUsers(...everybody)

      await root.waitForUsers(...everybody)
      await root.page.getByRole('button', { name: 'Kadınlar' }).click()
      await root.waitForUsers('Nergis')
      await root.page.getByRole('button', { name: 'Erkekler' }).click()
      await root.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await root.page.getByRole('button', { name: 'Erkekler' }).click()
      await root.waitForUsers(...everybody)
    },
  )

  journey(
    '[PRES-11] [PRES-19] shows tier, gender and platform, and updates when they change',
    async ({ site, desktop, speaker }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Bakan')
      const { page } = visitor
      await waitForUserList(visitor, 'Bakan')
      await speaker('Yıldızlı', { role: 'rootAdmin' })
      await userRow(page, 'Yıldızlı').getByText('Root Admin').waitFor()
      expect(await userRow(page, 'Yıldızlı').locator('.tier svg').count()).toBe(6)

      const changing = await speaker('Değişen', { gender: 'male' })
      const changingRow = userRow(page, 'Değişen')
      await changingRow.getByText('Misafir').waitFor()
      updateSiteDatabase(
        site,
        "update user set premiumUntil = 9999999999999, lastLoginPlatform = 'mobile' where username = 'Değişen'",
      )
      const { connection } = await LiveConnection.open(site.origin, changing.signedIn.token)
      expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
      await changingRow.getByText('Premium').waitFor()
      const accessibleName = /^Online ?Değişen.*Erkek.*Premium.*Mobil$/
      await userList(page).getByRole('button', { name: accessibleName }).waitFor()

      changing.connection.terminate()
      connection.terminate()
      await changingRow.getByRole('img', { name: 'Offline' }).waitFor()
      await changingRow.waitFor({ state: 'detached' })
    },
  )

  journey(
    '[PRES-17] is browsed and opened by keyboard, and the focus returns to the row',
    async ({ desktop, speaker }) => {
      await speaker('Bahar')
      const leaving = await speaker('Cemre')
      await speaker('Defne')
      const visitor = await (await desktop()).openRoomAsGuest('Akın')
      const { page } = visitor
      await waitForUserList(visitor, 'Akın')
      await visitor.waitForUsers('Akın', 'Bahar', 'Cemre', 'Defne')
      await userSearchField(page).focus()
      for (const name of ['Kadınlar', 'Erkekler']) {
        await page.keyboard.press('Tab')
        await page.locator(`button[aria-label=${name}]:focus`).waitFor()
      }
      const keyPresses: [key: string, reaches: string][] = [
        ['Tab', 'Akın'],
        ['End', 'Defne'],
        ['ArrowUp', 'Cemre'],
        ['Home', 'Akın'],
        ['ArrowUp', 'Akın'],
        ['ArrowDown', 'Bahar'],
        ['PageDown', 'Defne'],
        ['ArrowUp', 'Cemre'],
      ]
      for (const [key, reaches] of keyPresses) {
        await page.keyboard.press(key)
        await waitForFocusedRow(page, reaches)
      }
      await page.keyboard.press('Enter')
      await profileDialog(page).getByRole('heading', { name: 'Cemre' }).waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })
      await waitForFocusedRow(page, 'Cemre')

      await speaker('Aylin')
      await userRow(page, 'Aylin').waitFor()
      await waitForFocusedRow(page, 'Cemre')
      leaving.leave()
      await userRow(page, 'Cemre').waitFor({ state: 'detached' })
      await waitForFocusedRow(page, 'Defne')
    },
  )

  journey(
    '[PRES-18] shows hostile and long names as text without breaking a row',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const names = [
        '<img src=x onerror=alert(1)>',
        'W'.repeat(64),
        'ı'.repeat(64),
        '👩‍👩‍👧‍👦🇹🇷🎉',
        '\u202Eters\u202C dönen',
        'مرحبا',
        '"><script>alert(1)</script>',
      ]
      await connectGuestsNamed(site, names)
      const visitor = await (await desktop()).openRoomAsGuest('Seyirci')
      const { page } = visitor
      await waitForUserList(visitor, 'Seyirci')
      await visitor.waitForUsers('Seyirci', ...names)
      const sizes = await userList(page)
        .getByRole('button')
        .evaluateAll((rows) =>
          rows.map((one) => [one.textContent, one.clientHeight, one.scrollWidth - one.clientWidth]),
        )
      expect(sizes.filter(([, height, overflow]) => height !== 80 || overflow !== 0)).toEqual([])
      for (const name of names) {
        await userList(page).getByRole('button', { name }).first().click()
        await profileDialog(page).getByRole('heading').last().getByText(name, { exact: true }).waitFor()
        expect(await profileDialog(page).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
        await page.keyboard.press('Escape')
        await profileDialog(page).waitFor({ state: 'detached' })
      }
    },
  )
})

describe('a user profile', () => {
  journey(
    '[PRES-16] [PROF-50] opens from the panel and a bubble, and the own one from a mention, on a phone',
    { tags: 'deep' },
    async ({ phone, speaker }) => {
      const writer = await speaker('Yazan', { role: 'rootAdmin' })
      const reader = await (await phone()).openRoomAsGuest('Okur')
      const { page } = reader
      await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
      await writer.sendMessage('selam @Okur nasılsın')
      await reader.waitForMessage('Selam @Okur nasılsın')
      const open = profileDialog(page)
      const expectWriterProfile = async (): Promise<void> => {
        await open.getByRole('heading', { name: 'Yazan' }).waitFor()
        await open.getByText('Root Admin').waitFor()
        await open.getByText(/çevrimiçi$/i).waitFor()
        await open.getByRole('button', { name: 'Geri' }).click()
        await open.waitFor({ state: 'detached' })
      }
      await reader.messageLog.getByRole('button', { name: 'Yazan', exact: true }).last().click()
      await expectWriterProfile()
      await reader.messageLog.locator('.group-avatar').last().click()
      await expectWriterProfile()
      await reader.messageLog.getByRole('button', { name: '@Okur', exact: true }).last().click()
      const ownPanel = page.getByRole('dialog', { name: 'Profilim' })
      await ownPanel.getByRole('heading', { name: 'Okur' }).waitFor()
      await ownPanel.getByRole('button', { name: 'Kapat' }).click()
      await ownPanel.waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: /Odadaki kullanıcılar/ })
        .first()
        .click()
      await userRow(page, 'Yazan').click()
      await expectWriterProfile()
      await userRow(page, 'Yazan').waitFor()
    },
  )

  journey(
    '[PRES-16] copies the name, and shows when the user was last seen',
    { tags: 'deep' },
    async ({ desktop, speaker }) => {
      const other = await speaker('Uğrayan', { gender: 'female' })
      const visitor = await desktop({ permissions: ['clipboard-read', 'clipboard-write'] })
      const { page } = await visitor.openRoomAsGuest('Kopyacı')
      await waitForUserList(visitor, 'Kopyacı')
      await userRow(page, 'Uğrayan').click()
      await profileDialog(page)
        .getByText(/çevrimiçi$/i)
        .waitFor()
      await profileDialog(page).getByRole('img', { name: 'Kadın' }).waitFor()
      await profileDialog(page).getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
      await page.getByText('Kopyalandı!').first().waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Uğrayan')
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
        document.execCommand = () => false
      })
      await profileDialog(page).getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
      await page.getByText('Kopyalama başarısız!').first().waitFor()

      await profileDialog(page).getByRole('button', { name: 'Diğer işlemler' }).press('Enter')
      await page.getByRole('menu').getByRole('menuitem', { name: 'Kullanıcı adını kopyala' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await page.locator('button[aria-label="Diğer işlemler"]:focus').waitFor()

      other.connection.terminate()
      await profileDialog(page)
        .getByText(/^Son görülme: /)
        .waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })
    },
  )

  journey(
    '[PRES-20] [PROF-47] says that it was not found, or that it could not be loaded',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      await speaker('Kaybolan')
      const visitor = await (await desktop()).openRoomAsGuest('Soran')
      const { page } = visitor
      visitor.errors.allow(/status of (404|500)/)
      await waitForUserList(visitor, 'Soran')
      await userRow(page, 'Kaybolan').waitFor()
      updateSiteDatabase(site, "update user set foldedName = 'baska' where username = 'Kaybolan'")
      await userRow(page, 'Kaybolan').click()
      await profileDialog(page).getByText('Profil bulunamadı.').waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })

      await page.route('**/api/users/profile-consolidated/*', (route) => route.fulfill(SERVER_ERROR))
      await userRow(page, 'Kaybolan').click()
      await page.getByText('Profil verisi alınamadı.').first().waitFor()
      await profileDialog(page).getByRole('heading', { name: 'Kaybolan' }).waitFor()
    },
  )
})

describe('the list of all users', () => {
  const searchField = (page: Page): Locator => page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' })
  const allUsersButton = (page: Page): Locator => page.getByRole('button', { name: 'Tüm kullanıcılar' })

  journey(
    '[PRES-10] [PRES-20] shows online and offline users to root admins, and is searched',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      await signInAsGuest(site.origin, 'Uzaktaki')
      const nearbyGuest = await speaker('Yakındaki', { roomId: 4 })
      const root = await (await desktop()).openRoomAs('Gören', await site.createRootAdmin('Gören'))
      const { page } = root
      await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
      await allUsersButton(page).click()
      await page.getByRole('heading', { name: 'Tüm Kullanıcılar' }).waitFor()
      await searchField(page).fill('AKTAKI')
      await userRow(page, 'Uzaktaki').getByRole('img', { name: 'Offline' }).waitFor()
      await searchField(page).fill('kındaki')
      await userRow(page, 'Yakındaki').getByRole('img', { name: 'Online' }).waitFor()
      await root.waitForUsers('Yakındaki')
      nearbyGuest.leave()
      await userRow(page, 'Yakındaki').getByRole('img', { name: 'Offline' }).waitFor()
      await userRow(page, 'Yakındaki').click()
      await profileDialog(page)
        .getByText(/^Son görülme: /)
        .waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })
      await searchField(page).fill('hiç kimse')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()

      root.errors.allow(/status of 500/)
      await page.route('**/api/users/all-users*', (route) => route.fulfill(SERVER_ERROR))
      await searchField(page).fill('Gören')
      await page.getByRole('alert').getByText('Kullanıcılar alınırken bir hata oluştu.').waitFor()
      await page.unroute('**/api/users/all-users*')
      await page.getByRole('button', { name: 'Tekrar dene' }).click()
      await root.waitForUsers('Gören')
      await allUsersButton(page).click()
      await page.getByRole('heading', { name: 'Tüm Kullanıcılar' }).waitFor({ state: 'detached' })
    },
  )

  journey('[PRES-23] [PRES-24] is not offered to others, whose header counts the room', async ({ desktop, phone }) => {
    for (const [visitor, name] of [
      [await desktop(), 'Meraklı'],
      [await phone(), 'Yoldaki'],
    ] as const) {
      const { page } = await visitor.openRoomAsGuest(name)
      await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
      expect(await allUsersButton(page).count()).toBe(0)
      await page
        .locator('.room-header-counts > span')
        .getByText(/^\d+ kişi burada$/)
        .waitFor()
    }
  })
})
