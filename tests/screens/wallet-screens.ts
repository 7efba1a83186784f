import { join } from 'node:path'
import { giveMoney, spendMoney } from '../../src/server/testing/fixtures/money.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

/** Gives the root admin money, of which a part is spent: a statement shows both directions. Once for each site. */
function fillStatement(site: Site): void {
  const databaseFile = join(site.dataFolder, 'meydan.db')
  const userId = Number(readSiteDatabase(site, "select id from user where username = 'Zeynep'"))
  if (readSiteDatabase(site, "select 1 from ledgerTransaction where actorId = ? and kind = 'premium'", userId)) return
  giveMoney(databaseFile, { userId, amountKurus: 125_000 })
  spendMoney(databaseFile, { userId, amountKurus: 31_000, kind: 'roomOrder' })
  giveMoney(databaseFile, { userId, amountKurus: 3_550, kind: 'earned' })
  spendMoney(databaseFile, { userId, amountKurus: 5_000, kind: 'premium' })
}

async function openStatement(visitor: ChatPage): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Hesap hareketleri').click()
}

/** 'Hesap hareketleri'. */
export const walletScreens: Screen[] = [
  {
    name: 'statement',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      fillStatement(site)
      await openStatement(visitor)
      await visitor.page.getByText('Premium üyelik').waitFor()
    },
  },
  {
    name: 'statement-failed',
    signedInAs: 'rootAdmin',
    expectedError: /Failed to load resource|ERR_FAILED/,
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const route = /\/users\/balance\/statement/
      await visitor.page.route(route, (request) => request.abort())
      await openStatement(visitor)
      await visitor.page.getByText('Hesap hareketleri alınırken bir hata oluştu.').waitFor()
      await visitor.page.unroute(route)
    },
  },
]
