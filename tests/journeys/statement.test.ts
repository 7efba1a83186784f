// @module-tag deep
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import { journey } from './journey.ts'

const databaseOf = (site: Site) => join(site.dataFolder, 'meydan.db')

function findUserId(site: Site, username: string): number {
  return Number(readSiteDatabase(site, 'select id from user where username = ?', username))
}

describe('the statement', () => {
  journey(
    '[LEDGER-16] is empty at first, shows money as it comes, is saved as CSV, and closes by Esc and Back',
    async ({ site, phone, speaker }) => {
      const visitor = await (await phone()).enterAsMember('Hesaplı')
      const { page } = visitor
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Hesap hareketleri').click()
      const dialog = page.getByRole('dialog', { name: 'Hesap hareketleri' })
      await dialog.getByText('Henüz hesap hareketin yok.').waitFor()

      giveMoney(databaseOf(site), { userId: findUserId(site, 'Hesaplı'), amountKurus: 123_450 })
      // The site reads what another process wrote with its next command.
      await (await speaker('Yazan')).sendMessage('merhaba')
      await dialog.getByText('Bakiye yükleme').waitFor()
      await dialog.getByText('+1.234,50 ₺').waitFor()

      const saving = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'CSV olarak indir' }).click()
      const file = await saving
      expect(file.suggestedFilename()).toBe('meydan-hesap-hareketleri.csv')
      const saved = (await buffer(await file.createReadStream())).toString().split('\r\n')
      expect(saved[0]).toBe('\uFEFF"Tarih";"İşlem";"Giren (₺)";"Çıkan (₺)";"Bakiye (₺)";"Referans"')
      expect(saved[1]).toContain('"Bakiye yükleme";"1234,50";"";"1234,50"')

      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await visitor.sideMenuEntry('Hesap hareketleri').click()
      await dialog.getByText('Bakiye yükleme').waitFor()
      await page.goBack()
      await dialog.waitFor({ state: 'hidden' })
    },
  )
})
