import { describe, expect } from 'vitest'
import { change } from '../screen-steps.ts'
import { makeRootAdmin, type Site } from '../site.ts'
import { cutLine, isHeldBy, named } from './connection.ts'
import { journey } from './journey.ts'
import { Visitor } from './visitor.ts'

const isHome = ({ page }: Visitor) => page.waitForURL((url) => url.pathname === '/')

/** A member, and their password. */
async function makeMember(site: Site, username: string): Promise<string> {
  const password = await makeRootAdmin(site, username)
  change(site, `update user set role = 'member' where username = '${username}'`)
  return password
}

/** A member at three desks, in the room at one of them. */
async function signedInThrice(site: Site, desktop: () => Promise<Visitor>, name: string) {
  const password = await makeMember(site, name)
  const others = [await (await desktop()).signIn(name, password), await (await desktop()).signIn(name, password)]
  const own = await (await desktop()).signIn(name, password)
  for (const { errors } of [own, ...others]) errors.expect(cutLine)
  for (const { page } of others) await page.goto('about:blank')
  await own.page.reload()
  await own.isInRoom()
  return { own, others }
}

async function openSessions(visitor: Visitor) {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Oturumlarım').click()
  const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
  await window.getByText('Bu oturum', { exact: true }).waitFor()
  return window
}

/** What the browser keeps of somebody, in this tab and for all. */
const kept = ({ page }: Visitor) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort())

describe('the own sessions', () => {
  journey(
    '[ACC-56] [ACC-54] are listed, and one is ended from the list: that browser is at home and reads why',
    async ({ site, desktop, phone }) => {
      const name = named('Sahip')
      const password = await makeMember(site, name)
      const atDesk = await (await desktop()).signIn(name, password)
      const onPhone = await (await phone()).signIn(name, password)
      for (const { errors } of [atDesk, onPhone]) errors.expect(cutLine)
      await isHeldBy(onPhone, 'Meydan başka bir yerde açık')

      const window = await openSessions(atDesk)
      const rows = window.getByRole('listitem')
      expect(await rows.count()).toBe(2)
      await rows.nth(0).getByText('Bu oturum', { exact: true }).waitFor()
      await rows.nth(1).getByText('Şu anda bağlı').waitFor()
      await rows
        .nth(1)
        .getByRole('button', { name: /^Oturumu kapat/ })
        .click()

      await isHome(onPhone)
      await onPhone.page.getByRole('alert').getByText('Bu oturum başka bir cihazınızdan kapatıldı.').waitFor()
      expect(await onPhone.page.getByText('olarak devam et').count()).toBe(0)
      await window.getByText('Başka oturum yok.').waitFor()
      expect(await rows.count()).toBe(1)
      await atDesk.page.keyboard.press('Escape')
      await atDesk.say(`Buradayım ${name}`)
      await atDesk.reads(`Buradayım ${name}`)
    },
  )

  journey(
    '[ACC-56] all others are ended at once, after a question; a guest is not offered the list',
    async ({ site, desktop }) => {
      const { own, others } = await signedInThrice(site, desktop, named('Düzenli'))

      const window = await openSessions(own)
      expect(await window.getByRole('listitem').count()).toBe(3)
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByText('Diğer 2 oturum hemen kapatılsın mı?').waitFor()
      // The question has the focus, and no is what Enter says.
      await own.page.keyboard.press('Enter')
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByRole('button', { name: 'Hepsini kapat' }).click()
      await own.page.getByText('2 oturum kapatıldı.').waitFor()
      await window.getByText('Başka oturum yok.').waitFor()
      for (const { page } of others) {
        const answer = await page.goto(`${site.origin}/room/1`)
        expect(new URL(answer?.url() ?? '').pathname).toBe('/')
      }

      const guest = await (await desktop()).enterAsGuest(named('Konuk'))
      await guest.openSideMenu()
      expect(await guest.sideMenuEntry('Oturumlarım').count()).toBe(0)
    },
  )

  journey('[ACC-56] two that are ended at the same time are both gone from the list', async ({ site, desktop }) => {
    const { own } = await signedInThrice(site, desktop, named('Aceleci'))
    const held: (() => Promise<void>)[] = []
    await own.page.context().route('**/api/users/sessions/end', (route) => void held.push(() => route.continue()))
    const window = await openSessions(own)
    const ends = window.getByRole('button', { name: /^Oturumu kapat/ })
    await ends.nth(0).click()
    await ends.nth(1).click()
    await expect.poll(() => held.length).toBe(2)
    for (const [index, go] of held.entries()) {
      await go()
      await expect.poll(() => window.getByRole('listitem').count()).toBe(2 - index)
    }
    await window.getByText('Başka oturum yok.').waitFor()
  })

  journey('[ACC-56] that cannot be loaded are asked for again', async ({ site, desktop }) => {
    const name = named('Sabırlı')
    const visitor = await (await desktop()).signIn(name, await makeMember(site, name))
    visitor.errors.expect(/status of 503/)
    let isBroken = true
    await visitor.page
      .context()
      .route('**/api/users/sessions', (route) =>
        isBroken
          ? route.fulfill({ status: 503, json: { success: false, code: 'Busy', message: '' } })
          : route.continue(),
      )
    await visitor.openSideMenu()
    await visitor.sideMenuEntry('Oturumlarım').click()
    const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
    await window.getByRole('alert').getByText('Oturumlar yüklenemedi.').waitFor()
    isBroken = false
    await window.getByRole('button', { name: 'Tekrar dene' }).click()
    await window.getByText('Bu oturum', { exact: true }).waitFor()
  })
})

describe('a log-out', () => {
  journey(
    '[ACC-57] [ACC-13] ends every tab, leaves nothing behind, and neither the back button nor a stolen token comes back in',
    async ({ site, desktop, visitors }) => {
      const name = named('Çıkan')
      const visitor = await (await desktop()).signIn(name, await makeMember(site, name))
      const second = new Visitor(await visitor.page.context().newPage())
      visitors.push(second)
      await second.page.goto('/room/2')
      await isHeldBy(second, 'Meydan başka bir yerde açık')
      for (const { errors } of [visitor, second]) errors.expect(cutLine)
      await visitor.composer.fill('kimse görmesin')
      const token = await visitor.page.evaluate(() => localStorage.getItem('token'))

      await visitor.logOut()
      await isHome(second)
      await second.nameField.waitFor()
      for (const each of [visitor, second]) {
        expect(await kept(each)).toEqual(['browserId', 'lastRoomId', 'theme'])
        expect(await each.page.getByText('olarak devam et').count()).toBe(0)
      }
      await visitor.page.goBack()
      await visitor.nameField.waitFor()
      expect(new URL(visitor.page.url()).pathname).toBe('/')
      const answer = await fetch(`${site.origin}/api/users/account`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(401)

      // Whoever comes next in this tab finds an empty composer.
      await visitor.enterAsGuest(named('Sonraki'))
      expect(await visitor.composer.inputValue()).toBe('')
    },
  )
})

describe('a root admin', () => {
  journey(
    '[ACC-60] makes a member one and takes it back, in a browser that is open all the while',
    async ({ site, desktop }) => {
      const [rootName, memberName] = [named('Kurucu'), named('Terfi')]
      const root = await (await desktop()).signIn(rootName, await makeRootAdmin(site, rootName))
      const member = await (await desktop()).signIn(memberName, await makeMember(site, memberName))
      const bystander = await (await desktop()).enterAsGuest(named('Seyirci'))
      await member.openSideMenu()
      expect(await member.sideMenuEntry('Tüm Kullanıcılar').count()).toBe(0)

      const choose = async (entry: string) => {
        await root.page.locator('.person-username', { hasText: memberName }).click()
        await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
        await root.page.getByRole('menuitem', { name: entry }).click()
        await root.page.getByRole('dialog', { name: entry }).getByRole('button', { name: entry }).click()
      }
      await choose('Root Admin Yap')
      await root.page.getByText(`${memberName} artık root admin.`).waitFor()
      await member.sideMenuEntry('Tüm Kullanıcılar').waitFor()
      await expect.poll(() => member.page.evaluate(() => localStorage.getItem('adminToken'))).not.toBeNull()
      await member.sideMenuEntry('Tüm Kullanıcılar').click()
      await member.page.getByRole('complementary').getByText(rootName).waitFor()
      await member.openMenu()
      await member.page.getByRole('menuitem', { name: 'Yasaklı Kullanıcılar' }).click()
      const bans = member.page.getByRole('dialog', { name: 'Yasaklı Kullanıcılar' })
      await bans.getByText('Yasaklı kullanıcı yok.').waitFor()

      await root.page.keyboard.press('Escape')
      await choose('Root Adminlik Kaldır')
      await root.page.getByText(`${memberName} artık root admin değil.`).waitFor()
      await bans.waitFor({ state: 'hidden' })
      expect(await member.page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
      await member.page.getByText('Sistemdeki tüm kullanıcıları sadece yetkililer görebilir.').waitFor()
      await member.openMenu()
      expect(await member.page.getByRole('menuitem').allTextContents()).not.toContain('Yasaklı Kullanıcılar')
      // They were never logged out, and whoever looked on kept what they had.
      await member.isInRoom()
      expect(await bystander.page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
    },
  )

  journey('[ACC-60] reads why somebody could not be made one', async ({ site, desktop }) => {
    const rootName = named('Kurucu')
    const root = await (await desktop()).signIn(rootName, await makeRootAdmin(site, rootName))
    const memberName = named('Gidici')
    const member = await (await desktop()).signIn(memberName, await makeMember(site, memberName))
    await root.page.locator('.person-username', { hasText: memberName }).click()
    await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
    await root.page.getByRole('menuitem', { name: 'Root Admin Yap' }).click()
    root.errors.expect(/status of 403/)
    // Banned from elsewhere meanwhile.
    change(
      site,
      `insert into ban (userId, reason, duration, bannedById, at) select id, 'Diğer', 'indefinite', id, 0 from user where username = '${memberName}'`,
    )
    const dialog = root.page.getByRole('dialog', { name: 'Root Admin Yap' })
    await dialog.getByRole('button', { name: 'Root Admin Yap' }).click()
    await root.page.getByText('Kullanıcı root admin yapılamadı. Yasaklı bir kullanıcıya yetki verilemez.').waitFor()
    await dialog.waitFor()
    await member.page.close()
  })
})
