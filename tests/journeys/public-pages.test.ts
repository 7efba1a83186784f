import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { legalDocuments } from '../../src/shared/legal/documents.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { openSignUp } from '../screens/sign-up-screens.ts'
import { journey } from './journey.ts'

describe('a guest', () => {
  journey(
    '[ACC-110] [ACC-111] [ACC-112] [ACC-150] [ACC-03] reads in the form what is wrong, until it is right, on a phone',
    async ({ phone }) => {
      const guest = await phone()
      const { page, nameField } = guest
      await page.goto('/')
      const enter = page.getByRole('button', { name: 'Meydana gir' })
      const error = page.locator('#guest-form .field-error')
      await enter.tap()
      await error.getByText('Bir kullanıcı adı seç.').waitFor()
      expect(await nameField.evaluate((field) => field === document.activeElement)).toBe(true)
      expect(await nameField.getAttribute('aria-invalid')).toBe('true')
      const described = () =>
        nameField.evaluate(
          (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent,
        )
      expect(await described()).toBe('Bir kullanıcı adı seç.')
      await nameField.pressSequentially('ab')
      await error.getByText('Kullanıcı adı en az 3 karakter olmalıdır.').waitFor()
      await nameField.pressSequentially('cde')
      await expect.poll(() => page.locator('#guest-form .form-error').count()).toBe(0)
      // The hint, or what the name's check says in its place.
      expect(await described()).toMatch(/Kayıt gerekmez\.|Bu ad boşta/)

      guest.errors.allow(/status of 409 .*guest-login/)
      await nameField.fill('süpermoderatör')
      await enter.tap()
      await page.getByText('Bu kullanıcı adı kullanılamaz.').waitFor()
      expect(await nameField.inputValue()).toBe('süpermoderatör')
      expect(await nameField.getAttribute('aria-invalid')).toBe('true')

      await page.getByText('Üye misin?').tap()
      await page.getByRole('button', { name: 'Giriş yap' }).tap()
      await page.getByText('Kullanıcı adını gir.').waitFor()
      await page.getByText('Şifreni gir.').waitFor()

      await nameField.fill('Telefondan')
      await page.getByText('Erkek').tap()
      const expectTaken = async (field: Locator) => {
        await field.waitFor()
        expect([await field.inputValue(), await page.getByLabel('Erkek').isChecked()]).toEqual(['Telefondan', true])
      }
      await page.getByRole('link', { name: 'Üye Ol' }).tap()
      await expectTaken(page.getByLabel('Kullanıcı adın'))
      await page.getByRole('link', { name: 'Misafir olarak gir' }).tap()
      await expectTaken(nameField)
      await enter.tap()
      await guest.waitForRoom()
      await openSignUp(guest)
      const dialog = page.getByRole('dialog', { name: 'Üye Ol' })
      expect(await dialog.getByRole('radio', { name: 'Erkek' }).isChecked()).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await guest.sideMenuEntry('Çıkış Yap').tap()
      const question = page.getByRole('dialog', { name: 'Adın serbest kalsın mı?' })
      await question.getByRole('button', { name: 'Vazgeç' }).tap()
      await question.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/room/1')
    },
  )

  journey(
    '[ACC-111] [ACC-112] [LEGAL-04] keeps the gender at sign-up, and is asked before the name goes',
    { tags: 'deep' },
    async ({ desktop }) => {
      const guest = await desktop()
      const { page } = guest
      await page.goto('/')
      await guest.nameField.fill('Ayrılan')
      await page.getByText('Kadın').click()
      await page.getByRole('button', { name: 'Meydana gir' }).click()
      await guest.waitForRoom()
      await openSignUp(guest)
      const dialog = page.getByRole('dialog', { name: 'Üye Ol' })
      expect(await dialog.getByRole('radio', { name: 'Kadın' }).isChecked()).toBe(true)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      const links = page.getByRole('navigation', { name: 'Site bilgileri' }).getByRole('link')
      expect(await links.allTextContents()).toEqual(Object.values(legalDocuments).map(({ label }) => label))
      const question = page.getByRole('dialog', { name: 'Adın serbest kalsın mı?' })
      for (const leave of [guest.sideMenuEntry('Çıkış Yap'), page.locator('.guest-actions').getByText('Çıkış Yap')]) {
        await leave.click()
        await question.getByText('Ayrılan').waitFor()
        await question.getByRole('button', { name: 'Vazgeç' }).click()
        await question.waitFor({ state: 'detached' })
      }
      expect(new URL(page.url()).pathname).toBe('/room/1')
      await guest.sideMenuEntry('Çıkış Yap').click()
      await question.getByRole('button', { name: 'Çıkış Yap' }).click()
      await guest.nameField.waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await page.goto('/?form=register')
      expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    },
  )
})

describe('terms, privacy, rules and contact', () => {
  journey(
    '[LEGAL-01] [LEGAL-04] are linked at the foot and in the menu, and read by everybody',
    async ({ site, phone }) => {
      const guest = await phone()
      const { page } = guest
      await page.goto('/')
      const links = page.getByRole('navigation', { name: 'Site bilgileri' }).getByRole('link')
      expect(await links.allTextContents()).toEqual(Object.values(legalDocuments).map(({ label }) => label))
      updateSiteDatabase(site, 'update siteState set maintenanceSince = 1')
      for (const { label, path } of Object.values(legalDocuments)) {
        const answer = await page.goto(path)
        expect(answer?.status()).toBe(200)
        await page.getByRole('heading', { level: 1, name: label }).waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      }
      updateSiteDatabase(site, 'update siteState set maintenanceSince = null')

      await guest.openRoomAsGuest('Okuyan')
      await guest.openSideMenu()
      const opened = page.context().waitForEvent('page')
      await links.getByText('Gizlilik').tap()
      const privacy = await opened
      await privacy.getByRole('heading', { level: 1, name: 'Gizlilik' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/room/1')
    },
  )
})
