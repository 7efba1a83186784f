// @module-tag deep
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { foldName } from '../../src/shared/text/turkish.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { assertNoXss, BIDI_OVERRIDE_NAME, XSS_CORPUS } from './assert-no-xss.ts'
import { journey } from './journey.ts'

const MAX_CITY_LENGTH = 60
/** Leaves room for an index below the 64 characters of a username. */
const MAX_NAME_LENGTH = 60

/** Submits a form as a page without script does, without the limits of its fields. */
async function submitForm(page: Page, action: string, fields: Record<string, string>): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(action))
  await page.evaluate(
    ({ to, values }) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: to })
      for (const [name, value] of Object.entries(values)) {
        form.append(Object.assign(document.createElement('input'), { name, value }))
      }
      document.body.append(form)
      form.submit()
    },
    { to: action, values: fields },
  )
  expect((await answered).status()).toBe(422)
  await page.waitForLoadState()
}

/** Changes the own profile as the editor does; resolves with the status. */
function putProfile(page: Page, fields: Record<string, string>): Promise<number> {
  return page.evaluate(async (body) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('token')}`,
      'content-type': 'application/json',
    }
    return (await fetch('/api/users/profile', { method: 'PUT', headers, body: JSON.stringify(body) })).status
  }, fields)
}

describe('markup in profiles', () => {
  journey(
    '[CHAT-19] [ACC-30] [ACC-27] is refused as a username, and the form shows it as typed',
    async ({ desktop }) => {
      const visitor = await desktop()
      visitor.errors.allow(/status of 422/)
      const { page } = visitor
      const password = 'uzun bir parola'
      await page.goto('/?form=register')
      for (const text of XSS_CORPUS) {
        await submitForm(page, '/api/users/register', {
          username: text,
          age: text,
          password,
          termsAccepted: 'true',
          next: text,
        })
        await page.getByRole('alert').getByText(/\S/).first().waitFor()
        // The form returns at most 64 and 3 characters.
        expect(await page.getByLabel('Kullanıcı adın').inputValue()).toBe(text.slice(0, 64))
        expect(await page.getByLabel('Yaşın').inputValue()).toBe(text.slice(0, 3))
        expect(await page.content()).not.toContain(password)
        await assertNoXss(page)
      }
    },
  )

  journey('[CHAT-19] [PROF-13] is shown as text in a bio and a city', async ({ desktop }) => {
    const member = await (await desktop()).enterAsMember('Süslü')
    const observer = await (await desktop()).openRoomAsGuest('Bakan')
    await member.openSideMenu()
    await observer.page.locator('.person', { hasText: 'Süslü' }).click()
    const places = [
      [member, member.page.getByRole('region', { name: 'Profil', exact: true })],
      [observer, observer.page.getByRole('dialog', { name: 'Profil' })],
    ] as const
    for (const text of [...XSS_CORPUS, `${BIDI_OVERRIDE_NAME} https://ornek.com/"onclick=window.hit=1`]) {
      // Bidi overrides are removed; a city is cut to its limit.
      const shown = text.replace('\u202E', '')
      const city = shown.slice(0, MAX_CITY_LENGTH).trim()
      expect(await putProfile(member.page, { bio: text, city })).toBe(200)
      for (const [{ page }, place] of places) {
        await expect.poll(() => place.locator('.profile-bio-text').textContent()).toBe(shown)
        expect(await place.getByText(city, { exact: true }).count()).toBeGreaterThan(0)
        await assertNoXss(page)
      }
    }
    await member.page.reload()
    await member.waitForRoom()
    await member.openSideMenu()
    await places[0][1].locator('.profile-bio-text').waitFor()
    await assertNoXss(member.page)
  })

  journey('[CHAT-19] [FILE-18] is not stored as the name of an uploaded picture', async ({ desktop }) => {
    const member = await (await desktop()).enterAsMember('Dosyacı')
    const { page } = member
    await member.openSideMenu()
    await member.sideMenuEntry('Profili Güncelle').click()
    const editor = page.getByRole('dialog', { name: 'Bilgilerimi Güncelle' })
    const picture = await createTestPhoto()
    for (const text of XSS_CORPUS.slice(0, 4)) {
      await editor.getByLabel('Fotoğraf seç').setInputFiles({ ...picture, name: `${text.replaceAll('/', '_')}.jpg` })
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByAltText('Yeni fotoğrafın').waitFor()
      await assertNoXss(page)
    }
    await editor.getByRole('button', { name: 'Kaydet' }).click()
    await editor.waitFor({ state: 'hidden' })
    // The picture loads when it is near the visible part of the side menu.
    const card = page.getByRole('region', { name: 'Profil', exact: true })
    await card.locator('.avatar').scrollIntoViewIfNeeded()
    const avatar = card.locator('img[src*="/uploads/"]')
    expect(new URL((await avatar.getAttribute('src')) ?? '', page.url()).pathname).toMatch(
      /^\/uploads\/[0-9a-f]{64}\.webp$/,
    )
    await assertNoXss(page)
  })

  journey(
    '[CHAT-19] [REL-19] [ACC-51] is shown as text in blocked usernames and browser names',
    async ({ site, desktop }) => {
      const visitor = await (await desktop({ userAgent: XSS_CORPUS[0] ?? '' })).enterAsMember('Engelleyen')
      const { page } = visitor
      // No command accepts such names, so they are inserted into the database.
      site.changeDatabase((db) => {
        const insertUser = db.prepare(
          `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
           values (?, ?, 0, 'member', 'web', 0, 0)`,
        )
        const insertBlock = db.prepare(
          `insert into block (blockerId, blockedId, createdAt)
           select id, ?, ? from user where username = 'Engelleyen'`,
        )
        for (const [index, text] of [...XSS_CORPUS, BIDI_OVERRIDE_NAME].entries()) {
          const name = `${text.slice(0, MAX_NAME_LENGTH)}${index}`
          insertBlock.run(insertUser.run(name, foldName(name)).lastInsertRowid, index)
        }
      })
      await visitor.openContextMenu()
      await page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
      const list = page.getByRole('dialog', { name: 'Engellenen Kullanıcılar' })
      await list.getByText(`${XSS_CORPUS[0]}0`, { exact: true }).waitFor()
      expect(await list.getByRole('listitem').count()).toBe(XSS_CORPUS.length + 1)
      await assertNoXss(page)
      for (let remaining = XSS_CORPUS.length; remaining > XSS_CORPUS.length - 3; remaining--) {
        await list
          .getByRole('button', { name: /^Engeli Kaldır/ })
          .first()
          .click()
        await page.locator('.toast', { hasText: 'engeli kaldırıldı.' }).first().waitFor()
        await expect.poll(() => list.getByRole('listitem').count()).toBe(remaining)
        await assertNoXss(page)
      }
      await page.keyboard.press('Escape')
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Oturumlarım').click()
      await page.getByRole('dialog', { name: 'Oturumlarım' }).getByText('Bilinmeyen cihaz').waitFor()
      await assertNoXss(page)
    },
  )
})
