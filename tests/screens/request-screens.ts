import { join } from 'node:path'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { foldName } from '../../src/shared/text/turkish.ts'
import { readSiteDatabase, type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const VIEWER = 'Zeynep'
const MEMBERS = [VIEWER, 'Nehir', 'Uzunİsimliİnsan2026']
const HOUR_MS = 60 * 60_000

interface Row {
  id: number
  by: string
  kind: 'star' | 'withdrawal'
  lira: number
  hoursAgo: number
  status?: 'approved' | 'rejected'
}

const ROWS: Row[] = [
  { id: 41, by: VIEWER, kind: 'withdrawal', lira: 100, hoursAgo: 70, status: 'approved' },
  { id: 42, by: VIEWER, kind: 'withdrawal', lira: 500, hoursAgo: 26, status: 'rejected' },
  { id: 43, by: 'Nehir', kind: 'star', lira: 250, hoursAgo: 1 },
  { id: 44, by: 'Uzunİsimliİnsan2026', kind: 'withdrawal', lira: 1_000, hoursAgo: 0.5 },
  { id: 45, by: VIEWER, kind: 'withdrawal', lira: 50, hoursAgo: 0.2 },
]

const filledSites = new WeakSet<Site>()

/** Enters as a root admin who has earned money and made requests, as other members have. */
async function enterWithRequests(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  if (filledSites.has(site)) return
  filledSites.add(site)
  for (const name of MEMBERS)
    updateSiteDatabase(
      site,
      `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
       select '${name}', '${foldName(name)}', 0, 'member', 'web', 0, ${Date.now()}
       where not exists (select 1 from user where username = '${name}')`,
    )
  const userId = Number(readSiteDatabase(site, `select id from user where username = '${VIEWER}'`))
  giveMoney(join(site.dataFolder, 'meydan.db'), { userId, amountKurus: 30_000, kind: 'earned' })
  for (const row of ROWS) insertRow(site, row)
}

function insertRow(site: Site, { id, by, kind, lira, hoursAgo, status }: Row): void {
  const userId = `(select id from user where username = '${by}')`
  const createdAt = Math.round(Date.now() - hoursAgo * HOUR_MS)
  const account =
    kind === 'star' ? "'Nehir Deniz Aksoy', null, null, null" : "null, 'TR330006100519786457841326', 'Zeynep', 'Yılmaz'"
  const decision = status
    ? `'${status}', ${createdAt + HOUR_MS}, (select id from user where username = '${VIEWER}')`
    : "'pending', null, null"
  updateSiteDatabase(
    site,
    `insert into moneyRequest (id, kind, userId, amountKurus, createdAt, senderName, iban, firstName, lastName, status,
       decidedAt, decidedBy)
     values (${id}, '${kind}', ${userId}, ${lira * 100}, ${createdAt}, ${account}, ${decision})`,
  )
}

async function openWithdrawals(visitor: ChatPage, site: Site): Promise<void> {
  await enterWithRequests(visitor, site)
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Ödemeler').click()
  await visitor.page.getByRole('cell', { name: '#45' }).waitFor()
}

async function openAmounts(visitor: ChatPage, site: Site): Promise<void> {
  await openWithdrawals(visitor, site)
  const own = visitor.page.getByRole('dialog', { name: 'Ödemeler' })
  await own.getByRole('button', { name: 'Bizden Ödeme Alın' }).click()
  await visitor.page.getByText('Çekilebilir bakiyen').waitFor()
  await visitor.page.getByRole('radio', { name: /^100 ₺/ }).check()
}

/** 'Ödemeler', 'Bizden Ödeme Alın', and 'Talepler' of root admins. */
export const requestScreens: Screen[] = [
  { name: 'withdrawals', signedInAs: 'rootAdmin', open: openWithdrawals },
  { name: 'withdrawal-amount', signedInAs: 'rootAdmin', open: openAmounts },
  {
    name: 'withdrawal-account',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openAmounts(visitor, site)
      const { page } = visitor
      await page.getByRole('button', { name: 'Devam et' }).click()
      await page.getByLabel('Ad', { exact: true }).fill('Zeynep')
      await page.getByLabel('IBAN').fill('330006100519786457841327')
      await page.getByRole('button', { name: 'Ödeme talebi gönder' }).click()
      await page.getByText('Soyadını yaz.').waitFor()
      await page.getByText('kontrol basamakları uyuşmuyor').waitFor()
    },
  },
  {
    name: 'requests',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithRequests(visitor, site)
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Talepler').click()
      const { page } = visitor
      await page.getByRole('search').getByText('Tümü').first().click()
      await page.getByText('Yükleme #43').waitFor()
    },
  },
]
