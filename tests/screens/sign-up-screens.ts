import type { ChatPage } from '../journeys/chat-page.ts'
import { enterRoomWhenListed, type Screen } from './screen-steps.ts'

/** Opens a guest's sign-up dialog. */
export async function openSignUp({ page }: ChatPage): Promise<void> {
  await page.getByRole('button', { name: 'Profilim' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'Üye Ol', exact: true }).click()
  await page.getByRole('dialog', { name: 'Üye Ol' }).getByLabel('Şifren').waitFor()
}

/** Signing up on the landing page and in a room. */
export const signUpScreens: Screen[] = [
  {
    name: 'landing-sign-up',
    signedInAs: 'nobody',
    open: async ({ page }) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Üye Ol' }).click()
      await page.getByLabel('Şifren').waitFor()
    },
  },
  {
    name: 'landing-sign-up-refused',
    signedInAs: 'nobody',
    expectedError: /status of 409/,
    open: async ({ page }) => {
      await page.goto('/?form=register')
      await page.getByLabel('Kullanıcı adın').fill('Ozan')
      await page.getByLabel('Şifren').fill('dört kuş uçtu')
      await page.getByLabel('Yaşın').fill('30')
      await page.getByText('Kullanım Sözleşmesini oku').click()
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Üye Ol' }).click()
      await page.locator('.field-error', { hasText: 'Bu kullanıcı adı alınmış.' }).waitFor()
    },
  },
  {
    name: 'room-sign-up',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await openSignUp(visitor)
    },
  },
  {
    name: 'room-sign-up-errors',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await openSignUp(visitor)
      const { page } = visitor
      await page.getByLabel('Kullanıcı adın').fill('Ozan')
      await page.getByText('Bu kullanıcı adı alınmış.').waitFor()
      await page.getByLabel('Şifren').fill('kısa')
      await page.getByRole('button', { name: 'Şifreyi göster' }).click()
      await page.getByLabel('Yaşın').fill('17')
      await page.getByLabel('Yaşın').press('Enter')
      await page.getByText('Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.').waitFor()
    },
  },
  {
    name: 'room-terms',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await openSignUp(visitor)
      await visitor.page.getByRole('button', { name: /^Kullanım Sözleşmesi/ }).click()
      await visitor.page.getByRole('dialog', { name: 'Kullanım Sözleşmesi' }).waitFor()
    },
  },
]
