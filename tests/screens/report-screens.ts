import type { Locator } from 'playwright-core'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { fileSampleReports } from '../fixtures/sample-reports.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { openModeration } from './moderation-screens.ts'
import { enterAsRootAdmin, enterRoomAsGuest, type Screen } from './screen-steps.ts'

const reportedSites = new WeakSet<Site>()

/** Opens 'Şikâyetler' as a root admin, with reports in it. */
async function openReports(visitor: ChatPage, site: Site): Promise<Locator> {
  await enterAsRootAdmin(visitor, site)
  if (!reportedSites.has(site)) await fileSampleReports(site)
  reportedSites.add(site)
  const screen = await openModeration(visitor, 'Şikâyetler')
  await screen.getByRole('button', { name: /^Fırtına77/ }).waitFor()
  return screen
}

/** Opens the reports about one user. */
async function openReportsAbout(visitor: ChatPage, site: Site, username: string): Promise<Locator> {
  const screen = await openReports(visitor, site)
  await screen.getByRole('button', { name: new RegExp(`^${username}`) }).click()
  await screen.getByRole('button', { name: /^Karar ver/ }).waitFor()
  return screen
}

async function openDecision(visitor: ChatPage, site: Site, decision?: string): Promise<void> {
  const screen = await openReportsAbout(visitor, site, 'Fırtına77')
  await screen.getByRole('button', { name: /^Karar ver/ }).click()
  const dialog = visitor.page.getByRole('dialog', { name: 'Karar ver' })
  await dialog.getByRole('button', { name: 'Uyar' }).waitFor()
  if (!decision) return
  await dialog.getByRole('button', { name: decision }).click()
  await visitor.page.getByRole('dialog', { name: decision }).waitFor()
}

/** Undoes all decisions, without an event: the next run finds the reports open again. */
function forgetDecisions(site: Site): void {
  updateSiteDatabase(site, 'update report set isOpen = 1, decisionId = null, decidedAt = null')
  updateSiteDatabase(
    site,
    `update reportGroup set decidedCount = 0, sourceCount = 1,
       openCount = (select count(*) from report where report.reportedId = reportGroup.userId)`,
  )
}

/** Opens the form that reports a message of room 1. */
async function openReportForm(visitor: ChatPage): Promise<Locator> {
  await enterRoomAsGuest(visitor)
  const row = visitor.bubble('Hoş geldin Çağla! Akşamları daha da kalabalık')
  await row.hover()
  await row.focus()
  await row.getByRole('button', { name: 'Mesaj işlemleri' }).press('Enter')
  await visitor.page.getByRole('menuitem', { name: 'Bildir' }).click()
  const form = visitor.page.getByRole('dialog', { name: 'Mesajı Bildir' })
  await form.waitFor()
  return form
}

/** 'Şikâyetler' of root admins, and 'Bildir' of everyone. */
export const reportScreens: Screen[] = [
  {
    name: 'reports-none',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const answer = { success: true, groups: [], next: null, totalOpen: 0 }
      await visitor.page.route('**/api/moderation/reports?*', (route) => route.fulfill({ json: answer }))
      const screen = await openModeration(visitor, 'Şikâyetler')
      await screen.getByText('Açık şikâyet yok.').waitFor()
      await visitor.page.unroute('**/api/moderation/reports?*')
    },
  },
  {
    name: 'reports-failed',
    signedInAs: 'rootAdmin',
    expectedError: /status of 503/,
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.route('**/api/moderation/reports?*', (route) => route.fulfill({ status: 503, json: {} }))
      const screen = await openModeration(visitor, 'Şikâyetler')
      await screen.getByText('Şikâyetler alınamadı.').waitFor()
      await visitor.page.unroute('**/api/moderation/reports?*')
    },
  },
  { name: 'reports', signedInAs: 'rootAdmin', open: openReports },
  {
    name: 'reports-user',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openReportsAbout(visitor, site, 'Fırtına77'),
  },
  {
    name: 'reports-content',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openReportsAbout(visitor, site, 'Fırtına77')
      await screen.getByRole('button', { name: 'İncele' }).nth(1).click()
      await screen.getByText('Bildirilen', { exact: true }).waitFor()
    },
  },
  {
    name: 'reports-content-call',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openReportsAbout(visitor, site, 'Fırtına77')
      await screen.getByRole('button', { name: 'İncele' }).last().click()
      await screen.getByText('cevaplanmadı').waitFor()
    },
  },
  { name: 'reports-decision', signedInAs: 'rootAdmin', open: (visitor, site) => openDecision(visitor, site) },
  {
    name: 'reports-decision-ban',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openDecision(visitor, site, 'Siteden yasakla'),
  },
  {
    name: 'reports-decision-warn',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openDecision(visitor, site, 'Uyar')
      await visitor.page.getByRole('button', { name: 'Uyar', exact: true }).click()
      await visitor.page.getByText('Uyarı metnini yaz.').waitFor()
    },
  },
  {
    name: 'reports-decided',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openReportsAbout(visitor, site, 'Gölge')
      await screen.getByRole('button', { name: /^Karar ver/ }).click()
      await visitor.page.getByRole('button', { name: 'İşlem gerekmiyor' }).click()
      await screen.getByRole('button', { name: /^Sıradaki/ }).waitFor()
      forgetDecisions(site)
    },
  },
  { name: 'report-message', signedInAs: 'guest', open: openReportForm },
  {
    name: 'report-message-without-reason',
    signedInAs: 'guest',
    open: async (visitor) => {
      const form = await openReportForm(visitor)
      await form.getByRole('button', { name: 'Bildir' }).click()
      await form.getByText('Bir sebep seç.').waitFor()
    },
  },
]
