import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import {
  PREMIUM_FILTER_TEXT,
  profileDialog,
  updateSiteDatabase,
  userList,
  userListJourney,
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
  userListJourney(
    '[PRES-12] [PRES-13] is searched while typing, and filtered by gender for those with the right',
    async ({ site, desktop, of, stay }) => {
      const [self, admin, other] = [of('Işılay'), of('Süzen'), of('Nergis')]
      const guest = await (await desktop()).openRoomAsGuest(self, 3)
      await waitForUserList(guest, self)
      const root = await (await desktop()).openRoomAs(admin, await createSiteRootAdmin(site, admin), 3)
      await waitForUserList(root, admin)
      await stay(other, 3)
      await guest.waitForUsers(self, admin, other)
      await userSearchField(guest.page).fill('IŞI')
      await guest.waitForUsers(self)
      await userSearchField(guest.page).fill('')
      await guest.waitForUsers(self, admin, other)

      await guest.page.getByRole('button', { name: 'Kadınlar' }).click()
      await guest.page.getByText(PREMIUM_FILTER_TEXT).first().waitFor()
      await guest.waitForUsers(self, admin, other)

      await root.waitForUsers(self, admin, other)
      await root.page.getByRole('button', { name: 'Kadınlar' }).click()
      await root.waitForUsers(other)
      await root.page.getByRole('button', { name: 'Erkekler' }).click()
      await root.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await root.page.getByRole('button', { name: 'Erkekler' }).click()
      await root.waitForUsers(self, admin, other)
    },
  )

  userListJourney(
    '[PRES-11] [PRES-19] shows tier, gender and platform, and updates when they change',
    async ({ site, desktop, of }) => {
      const [self, admin, other] = [of('Bakan'), of('Yıldızlı'), of('Değişen')]
      const visitor = await (await desktop()).openRoomAsGuest(self, 4)
      const { page } = visitor
      await waitForUserList(visitor, self)
      await (await desktop()).openRoomAs(admin, await createSiteRootAdmin(site, admin), 4)
      await userRow(page, admin).getByText('Root Admin').waitFor()
      expect(await userRow(page, admin).locator('.tier-stars svg').count()).toBe(6)

      const { token } = await signInAsGuest(site.origin, other, 'male')
      const { connection } = await LiveConnection.open(site.origin, token)
      expectAnswer(await connection.request('joinRoom', { roomId: 4 }))
      await userRow(page, other).getByText('Misafir').waitFor()
      updateSiteDatabase(
        site,
        "update user set premiumUntil = 9999999999999, lastLoginPlatform = 'mobile' where username = ?",
        other,
      )
      const secondConnection = await LiveConnection.open(site.origin, token)
      expectAnswer(await secondConnection.connection.request('joinRoom', { roomId: 4 }))
      await userRow(page, other).getByText('Premium').waitFor()
      const accessibleName = new RegExp(`^Online ?${other}.*Erkek.*Premium.*Mobil$`)
      await userList(page).getByRole('button', { name: accessibleName }).waitFor()

      connection.terminate()
      secondConnection.connection.terminate()
      await userRow(page, other).getByRole('img', { name: 'Offline' }).waitFor()
      await userRow(page, other).waitFor({ state: 'detached' })
    },
  )

  userListJourney(
    '[PRES-17] is browsed and opened by keyboard, and the focus returns to the row',
    async ({ desktop, of, stay }) => {
      const [first, second, third, fourth] = [of('Akın'), of('Bahar'), of('Cemre'), of('Defne')]
      await stay(second, 5)
      const leaving = await stay(third, 5)
      await stay(fourth, 5)
      const visitor = await (await desktop()).openRoomAsGuest(first, 5)
      const { page } = visitor
      await waitForUserList(visitor, first)
      await visitor.waitForUsers(first, second, third, fourth)
      await userSearchField(page).focus()
      for (const name of ['Kadınlar', 'Erkekler']) {
        await page.keyboard.press('Tab')
        await page.locator(`button[aria-label=${name}]:focus`).waitFor()
      }
      const keyPresses: [key: string, reaches: string][] = [
        ['Tab', first],
        ['End', fourth],
        ['ArrowUp', third],
        ['Home', first],
        ['ArrowUp', first],
        ['ArrowDown', second],
        ['PageDown', fourth],
        ['ArrowUp', third],
      ]
      for (const [key, reaches] of keyPresses) {
        await page.keyboard.press(key)
        await waitForFocusedRow(page, reaches)
      }
      await page.keyboard.press('Enter')
      await profileDialog(page).getByRole('heading', { name: third }).waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })
      await waitForFocusedRow(page, third)

      const newcomer = of('Aylin')
      await stay(newcomer, 5)
      await userRow(page, newcomer).waitFor()
      await waitForFocusedRow(page, third)
      leaving.socket.close()
      await userRow(page, third).waitFor({ state: 'detached' })
      await waitForFocusedRow(page, fourth)
    },
  )

  userListJourney(
    '[PRES-18] shows hostile and long names as text without breaking a row',
    async ({ site, desktop, of, stay }) => {
      const names = [
        '<img src=x onerror=alert(1)>',
        'W'.repeat(64),
        'ı'.repeat(64),
        '👩‍👩‍👧‍👦🇹🇷🎉',
        '\u202Eters\u202C dönen',
        'مرحبا',
        '"><script>alert(1)</script>',
      ]
      updateSiteDatabase(
        site,
        'update user set nameReleasedAt = 1 where username in (select value from json_each(?))',
        JSON.stringify(names),
      )
      for (const [index, name] of names.entries()) await stay(of(`Garip${index}x`), 1, name)
      const self = of('Seyirci')
      const visitor = await (await desktop()).openRoomAsGuest(self)
      const { page } = visitor
      await waitForUserList(visitor, self)
      await visitor.waitForUsers(self, ...names)
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
  userListJourney(
    '[PRES-16] [PROF-50] opens from the panel and a bubble, and the own one from a mention, on a phone',
    async ({ site, desktop, phone, of }) => {
      const [writerName, readerName] = [of('Yazan'), of('Okur')]
      const writer = await (await desktop()).openRoomAs(writerName, await createSiteRootAdmin(site, writerName), 2)
      const reader = await (await phone()).openRoomAsGuest(readerName, 2)
      const { page } = reader
      await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
      await writer.sendMessage(`selam @${readerName} nasılsın`)
      await reader.waitForMessage(`Selam @${readerName} nasılsın`)
      const open = profileDialog(page)
      const expectProfile = async (name: string, tier: string): Promise<void> => {
        await open.getByRole('heading', { name }).waitFor()
        await open.getByText(tier).waitFor()
        await open.getByText(/çevrimiçi$/i).waitFor()
        await open.getByRole('button', { name: 'Geri' }).click()
        await open.waitFor({ state: 'detached' })
      }
      await reader.messageLog.getByRole('button', { name: writerName, exact: true }).last().click()
      await expectProfile(writerName, 'Root Admin')
      await reader.messageLog.locator('.group-avatar').last().click()
      await expectProfile(writerName, 'Root Admin')
      await reader.messageLog
        .getByRole('button', { name: `@${readerName}`, exact: true })
        .last()
        .click()
      const ownPanel = page.getByRole('dialog', { name: 'Profilim' })
      await ownPanel.getByRole('heading', { name: readerName }).waitFor()
      await ownPanel.getByRole('button', { name: 'Kapat' }).click()
      await ownPanel.waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: /Odadaki kullanıcılar/ })
        .first()
        .click()
      await userRow(page, writerName).click()
      await expectProfile(writerName, 'Root Admin')
      await userRow(page, writerName).waitFor()
    },
  )

  userListJourney('[PRES-16] copies the name, and shows when the user was last seen', async ({ desktop, of, stay }) => {
    const [self, visitorName] = [of('Kopyacı'), of('Uğrayan')]
    const other = await stay(visitorName, 3)
    const visitor = await (await desktop({ permissions: ['clipboard-read', 'clipboard-write'] })).openRoomAsGuest(
      self,
      3,
    )
    const { page } = visitor
    await waitForUserList(visitor, self)
    await userRow(page, visitorName).click()
    await profileDialog(page)
      .getByText(/çevrimiçi$/i)
      .waitFor()
    await profileDialog(page).getByRole('img', { name: 'Kadın' }).waitFor()
    await profileDialog(page).getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
    await page.getByText('Kopyalandı!').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(visitorName)
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

    other.terminate()
    await profileDialog(page)
      .getByText(/^Son görülme: /)
      .waitFor()
    await page.keyboard.press('Escape')
    await profileDialog(page).waitFor({ state: 'detached' })
  })

  userListJourney(
    '[PRES-20] [PROF-47] says that it was not found, or that it could not be loaded',
    async ({ site, desktop, of, stay }) => {
      const [self, removedName] = [of('Soran'), of('Kaybolan')]
      await stay(removedName, 3)
      const visitor = await (await desktop()).openRoomAsGuest(self, 3)
      const { page } = visitor
      visitor.errors.allow(/status of (404|500)/)
      await waitForUserList(visitor, self)
      await userRow(page, removedName).waitFor()
      updateSiteDatabase(site, 'update user set foldedName = ? where username = ?', of('baska'), removedName)
      await userRow(page, removedName).click()
      await profileDialog(page).getByText('Profil bulunamadı.').waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })

      await page.route('**/api/users/profile-consolidated/*', (route) => route.fulfill(SERVER_ERROR))
      await userRow(page, removedName).click()
      await page.getByText('Profil verisi alınamadı.').first().waitFor()
      await profileDialog(page).getByRole('heading', { name: removedName }).waitFor()
    },
  )
})

describe('the list of all users', () => {
  const searchField = (page: Page): Locator => page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' })
  const allUsersButton = (page: Page): Locator => page.getByRole('button', { name: 'Tüm kullanıcılar' })

  userListJourney(
    '[PRES-10] [PRES-20] shows online and offline users to root admins, and is searched',
    async ({ site, desktop, of, stay }) => {
      const [self, near, far] = [of('Gören'), of('Yakındaki'), of('Uzaktaki')]
      await signInAsGuest(site.origin, far)
      const nearbyGuest = await stay(near, 4)
      const root = await (await desktop()).openRoomAs(self, await createSiteRootAdmin(site, self))
      const { page } = root
      await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
      await allUsersButton(page).click()
      await page.getByRole('heading', { name: 'Tüm Kullanıcılar' }).waitFor()
      await searchField(page).fill(far.slice(2).toUpperCase())
      await userRow(page, far).getByRole('img', { name: 'Offline' }).waitFor()
      await searchField(page).fill(near.slice(2))
      await userRow(page, near).getByRole('img', { name: 'Online' }).waitFor()
      await root.waitForUsers(near)
      nearbyGuest.socket.close()
      await userRow(page, near).getByRole('img', { name: 'Offline' }).waitFor()
      await userRow(page, near).click()
      await profileDialog(page)
        .getByText(/^Son görülme: /)
        .waitFor()
      await page.keyboard.press('Escape')
      await profileDialog(page).waitFor({ state: 'detached' })
      await searchField(page).fill('hiç kimse')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()

      root.errors.allow(/status of 500/)
      await page.route('**/api/users/all-users*', (route) => route.fulfill(SERVER_ERROR))
      await searchField(page).fill(self)
      await page.getByRole('alert').getByText('Kullanıcılar alınırken bir hata oluştu.').waitFor()
      await page.unroute('**/api/users/all-users*')
      await page.getByRole('button', { name: 'Tekrar dene' }).click()
      await root.waitForUsers(self)
      await allUsersButton(page).click()
      await page.getByRole('heading', { name: 'Tüm Kullanıcılar' }).waitFor({ state: 'detached' })
    },
  )

  userListJourney(
    '[PRES-23] [PRES-24] is not offered to others, whose header counts the room',
    async ({ desktop, phone, of }) => {
      for (const [visitor, name] of [
        [await desktop(), of('Meraklı')],
        [await phone(), of('Yoldaki')],
      ] as const) {
        const { page } = await visitor.openRoomAsGuest(name)
        await page.locator(LIVE_USER_LIST_SELECTOR).waitFor({ state: 'attached' })
        expect(await allUsersButton(page).count()).toBe(0)
        await page
          .locator('.room-header-here')
          .getByText(/^\d+ kişi burada$/)
          .waitFor()
      }
    },
  )
})
