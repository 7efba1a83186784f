import { callButton, callJourney, connectCall, expectNoCall, placeCall } from './call-fixtures.ts'
import type { ChatPage } from './chat-page.ts'

/** Fills in the form that reports a call, which is open. */
async function sendCallReport({ page }: ChatPage): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Aramayı Bildir' })
  await form.getByRole('radio', { name: 'Hakaret' }).check()
  await form.getByRole('button', { name: 'Bildir', exact: true }).click()
  await page.getByText('Arama bildirildi.').first().waitFor()
  await form.waitFor({ state: 'hidden' })
}

async function openPersonMenu({ page, messageLog }: ChatPage, username: string): Promise<void> {
  await messageLog.locator(`.group-person[data-person="${username}"]`).last().click()
  const profile = page.getByRole('dialog', { name: 'Profil', exact: true })
  await profile.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('menuitem', { name: 'Kullanıcı adını kopyala' }).waitFor()
}

callJourney('[MODUI-09] the one who has ended a call reports it from the profile of the other', async ({ pair }) => {
  const { ada } = pair
  await connectCall(pair, 'voice')
  await callButton(ada, 'Aramayı bitir').click()
  await expectNoCall(ada)
  await openPersonMenu(ada, 'Can')
  await ada.page.getByRole('menuitem', { name: 'Aramayı Bildir' }).click()
  await sendCallReport(ada)
})

callJourney(
  '[MODUI-09] a missed call is reported from its notification, also after a reload',
  { tags: 'deep' },
  async ({ pair }) => {
    const { ada, can } = pair
    await placeCall(ada, 'Can', 'Sesli ara')
    await callButton(can, 'Reddet').waitFor()
    await callButton(ada, 'Aramayı bitir').click()
    await expectNoCall(can)
    await can.page.reload()
    await can.waitForRoom()
    await can.page.getByRole('button', { name: /^Bildirimler/ }).click()
    await can.page.getByRole('tab', { name: /^Arama/ }).click()
    await can.page.getByRole('button', { name: 'Aramayı Bildir: Ada' }).click()
    await sendCallReport(can)
  },
)
