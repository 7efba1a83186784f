import { legalDocuments } from '../../src/shared/legal/documents.ts'
import { enterRoomWhenListed, type Screen } from './screen-steps.ts'

/** The landing page. */
export const landingScreens: Screen[] = [
  {
    name: 'landing',
    signedInAs: 'nobody',
    open: async ({ page }) => {
      await page.goto('/')
    },
  },
  {
    name: 'landing-name-taken',
    signedInAs: 'nobody',
    expectedError: /status of 409/,
    open: async ({ page, nameField }) => {
      await page.goto('/')
      await nameField.fill('Ozan')
      await nameField.press('Enter')
      await page.getByText('Bu kullanıcı adı alınmış.').waitFor()
    },
  },
  {
    name: 'landing-form-errors',
    signedInAs: 'nobody',
    open: async ({ page }) => {
      await page.goto('/?form=register')
      await page.getByRole('button', { name: 'Üye Ol' }).click()
      await page.getByText('Bir kullanıcı adı seç.').waitFor()
    },
  },
  ...Object.entries(legalDocuments).map(
    ([name, { path, label }]): Screen => ({
      name: `legal-${name}`,
      signedInAs: 'nobody',
      open: async ({ page }) => {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: label }).waitFor()
      },
    }),
  ),
  {
    name: 'leave-guest',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Çıkış Yap').click()
      await visitor.page.getByRole('dialog', { name: 'Adın serbest kalsın mı?' }).waitFor()
    },
  },
  {
    name: 'landing-sign-in-refused',
    signedInAs: 'nobody',
    expectedError: /status of 401/,
    open: async ({ page }) => {
      await page.goto('/')
      await page.getByText('Üye misin?').click()
      await page.getByLabel('Kullanıcı adı').fill('Ozan')
      await page.getByLabel('Şifre').fill('yanlış-parola')
      await page.getByLabel('Şifre').press('Enter')
      await page.getByText('Giriş başarısız.').waitFor()
    },
  },
  {
    name: 'room-landing',
    signedInAs: 'nobody',
    open: async ({ page }) => {
      await page.goto('/room/1')
      await page.getByRole('heading', { name: 'Adını yaz, odaya gir' }).waitFor()
    },
  },
  {
    name: 'room-landing-refused',
    signedInAs: 'nobody',
    expectedError: /status of 409/,
    open: async ({ page, nameField }) => {
      await page.goto('/room/1')
      await nameField.fill('moderatör')
      await Promise.all([page.waitForEvent('load'), nameField.press('Enter')])
      await page.getByText('Bu kullanıcı adı kullanılamaz.').waitFor()
    },
  },
  {
    name: 'landing-signed-in',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.goto('/')
      await visitor.page.getByText('olarak devam et').waitFor()
    },
  },
]
