import type { Locator } from 'playwright-core'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

/** Opens 'Moderasyon', and in it the section of this label if one is given. */
export async function openModeration(visitor: ChatPage, section?: string): Promise<Locator> {
  await visitor.openContextMenu()
  await visitor.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
  const screen = visitor.page.getByRole('dialog', { name: 'Moderasyon' })
  if (section) await screen.getByRole('button', { name: section }).click()
  await screen
    .getByRole('button', { name: 'Yasaklar' })
    .or(screen.getByRole('button', { name: 'Geri' }))
    .waitFor()
  return screen
}

/** 'Moderasyon' of root admins. */
export const moderationScreens: Screen[] = [
  {
    name: 'moderation',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await openModeration(visitor)
    },
  },
]
