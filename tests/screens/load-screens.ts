import { join } from 'node:path'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { readSiteDatabase, type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import type { Screen } from './screen-steps.ts'

let memberCount = 0
const DAY_MS = 24 * 60 * 60_000

/** Enters as a new member with money and premium. */
async function enterWithMoney(visitor: ChatPage, site: Site): Promise<void> {
  const name = `Cüzdanlı${++memberCount}`
  await visitor.enterAsMember(name)
  giveMoney(join(site.dataFolder, 'meydan.db'), { userId: findUserId(site, name), amountKurus: 128_450 })
  updateSiteDatabase(site, `update user set premiumUntil = ${Date.now() + 12.5 * DAY_MS} where username = '${name}'`)
}

function findUserId(site: Site, username: string): number {
  return Number(readSiteDatabase(site, 'select id from user where username = ?', username))
}

/** Sets the account of the last step, as root admins do. */
export function setBankDetails(site: Site): void {
  updateSiteDatabase(
    site,
    `insert or replace into bankDetails values (1, 'Deniz Bankası', 'Meydan Sohbet A.Ş.', 'TR330006100519786457841326')`,
  )
}

async function openWallet(visitor: ChatPage, site: Site): Promise<void> {
  await enterWithMoney(visitor, site)
  await visitor.page.reload()
  await visitor.waitForRoom()
  await visitor.openSideMenu()
  await visitor.page.getByRole('button', { name: 'Bakiye 1.284,50 ₺' }).click()
}

export const loadScreens: Screen[] = [
  { name: 'wallet', open: openWallet },
  {
    name: 'wallet-premium',
    open: async (visitor, site) => {
      await openWallet(visitor, site)
      await visitor.page.getByRole('button', { name: /^Premium süresini uzat/ }).click()
      await visitor.page.getByRole('dialog', { name: 'Premium üyelik' }).getByText('1.284,50 ₺').waitFor()
    },
  },
  {
    name: 'wallet-load',
    open: async (visitor, site) => {
      setBankDetails(site)
      await openWallet(visitor, site)
      const { page } = visitor
      await page.getByRole('button', { name: 'Bakiye Yükle' }).click()
      const wizard = page.getByRole('dialog', { name: 'Bakiye Yükleme Talebi' })
      await wizard.getByLabel('Ad Soyad').fill('Ayşe Yılmaz')
      await wizard.getByRole('button', { name: 'Devam et' }).click()
      await wizard.getByText('250 ₺').click()
      await wizard.getByRole('button', { name: 'Devam et' }).click()
      await wizard.getByText('TR33 0006').waitFor()
    },
  },
  {
    name: 'wallet-load-amounts',
    open: async (visitor, site) => {
      await openWallet(visitor, site)
      const { page } = visitor
      await page.getByRole('button', { name: 'Bakiye Yükle' }).click()
      const wizard = page.getByRole('dialog', { name: 'Bakiye Yükleme Talebi' })
      await wizard.getByLabel('Ad Soyad').fill('Ayşe Yılmaz')
      await wizard.getByLabel('Ad Soyad').press('Enter')
      await wizard.getByText('250 ₺').waitFor()
      await wizard.getByRole('button', { name: 'Devam et' }).click()
      await wizard.locator('.toast').waitFor()
    },
  },
  {
    name: 'wallet-loads',
    open: async (visitor, site) => {
      await visitor.enterAsMember(`Yükleyen${++memberCount}`)
      for (const [index, status] of ['rejected', 'approved', 'pending'].entries())
        updateSiteDatabase(
          site,
          `insert into moneyRequest (kind, userId, amountKurus, status, senderName, createdAt, decidedAt, decidedBy)
           select 'star', id, ${(index + 1) * 25_000}, '${status}', 'Ayşe', ${Date.now() - (3 - index) * 3 * DAY_MS},
           ${status === 'pending' ? 'null, null' : '1, id'} from user where username = 'Yükleyen${memberCount}'`,
        )
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Yüklemeler').click()
      await visitor.page.getByRole('cell', { name: 'Bekliyor' }).waitFor()
    },
  },
]
