import type { Locator } from 'playwright-core'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

/** Opens 'Seçenekler' as a root admin. */
async function openOptions(visitor: ChatPage, site: Site): Promise<Locator> {
  await enterAsRootAdmin(visitor, site)
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Seçenekler').click()
  const screen = visitor.page.getByRole('dialog', { name: 'Seçenekler' })
  await screen.getByText('25 Kişi').waitFor()
  await screen.getByLabel('IBAN').waitFor()
  return screen
}

/** 'Seçenekler'. */
export const optionScreens: Screen[] = [
  { name: 'options', signedInAs: 'rootAdmin', open: openOptions },
  {
    name: 'options-editing',
    open: async (visitor, site) => {
      const screen = await openOptions(visitor, site)
      await screen.getByRole('button', { name: 'Düzenle: 50 Kişi' }).click()
      await screen.getByRole('textbox', { name: 'Kişi' }).fill('1')
      await screen.getByRole('button', { name: 'Kaydet' }).first().click()
      await screen.getByText(/^Kişi 2 ile/).waitFor()
      await screen.getByRole('button', { name: 'Sil: 3 Ay' }).click()
      await screen.getByText('silinsin mi?').waitFor()
    },
  },
]
