import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { createSiteRootAdmin, type SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'

/** All users share one address, so each journey lifts its bans. */
function liftAllBans(site: SiteProcess): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 10_000 })
  db.prepare('update ban set liftedAt = at where liftedAt is null').run()
  db.close()
}

/** Revokes a root admin's role before the sign-in. */
function demoteToMember(site: SiteProcess, username: string): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 10_000 })
  db.prepare("update user set role = 'member' where username = ?").run(username)
  db.close()
}

async function enterAsRootAdmin(site: SiteProcess, visitor: ChatPage): Promise<ChatPage> {
  const username = uniqueName('Yetkin')
  return visitor.openRoomAs(username, await createSiteRootAdmin(site, username))
}

/** Opens the menu of a user's profile from the list of people. */
async function openProfileMenu({ page }: ChatPage, username: string): Promise<void> {
  await page.locator('.person', { hasText: username }).click()
  await page.getByRole('dialog', { name: 'Profil' }).waitFor()
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
}

describe('a root admin', () => {
  journey(
    '[MOD-03] [MOD-10] [MOD-14] [MOD-17] [MOD-20] bans a user, whose sessions and messages are gone until the ban is lifted',
    async ({ site, desktop }) => {
      liftAllBans(site)
      const root = await enterAsRootAdmin(site, await desktop())
      const [badName, goodName] = [uniqueName('Kaba'), uniqueName('Papatya')]
      const bad = await (await desktop()).openRoomAsGuest(badName)
      const good = await (await desktop()).openRoomAsGuest(goodName)
      bad.errors.allow(/status of 403/)
      const words = `Kötü sözler ${badName}`
      await bad.sendMessage(words)
      await good.waitForMessage(words)
      await root.waitForMessage(words)

      await openProfileMenu(root, badName)
      await root.page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Siteden Yasakla' })
      await form.waitFor()
      expect(await form.getByRole('radio', { name: '10 Dakika' }).isChecked()).toBe(true)
      expect(await form.getByRole('radio', { name: 'Uygunsuz Mesaj' }).isChecked()).toBe(true)
      await form.getByText('1 Saat').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await root.page.getByText(`${badName} 1 saat siteden yasaklandı.`).waitFor()

      await bad.page.waitForURL((url) => url.pathname === '/')
      const notice = bad.page.getByRole('alert').getByText(/^Siteden yasaklandın\. Sebep: Uygunsuz Mesaj\. Bitiş: /)
      await notice.waitFor()
      await good.bubble(words).waitFor({ state: 'detached' })
      await root.bubble(words).waitFor({ state: 'detached' })
      await good.page.locator('.person', { hasText: badName }).waitFor({ state: 'detached' })

      // Neither an old URL nor a new name gets in.
      await bad.page.goto('/room/1')
      await bad.page.getByRole('heading', { name: 'Siteden yasaklandın.' }).waitFor()
      await bad.page.goto('/')
      await bad.nameField.fill(uniqueName('Başkası'))
      await bad.nameField.press('Enter')
      await bad.page
        .getByText(/^Siteden yasaklandın\./)
        .first()
        .waitFor()
      expect(await good.page.getByRole('alertdialog').count()).toBe(0)

      // The open profile shows the ban and offers to lift it.
      await root.page.getByText(/^Son görülme: /).waitFor()
      await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await root.page.getByRole('menuitem', { name: 'Ban Kaldır' }).waitFor()
      await root.page.keyboard.press('Escape')
      await root.page.keyboard.press('Escape')
      await root.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await root.openContextMenu()
      await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      await root.page.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await root.page.getByRole('button', { name: badName, exact: true }).click()
      await root.page
        .getByRole('dialog', { name: 'Profil' })
        .getByText(/^Son görülme: /)
        .waitFor()
      await root.page.keyboard.press('Escape')
      await root.page.getByRole('button', { name: `Ban Kaldır: ${badName}` }).click()
      await root.page.getByText('Yasaklı kullanıcı yok.').waitFor()
      await bad.enterAsGuest(uniqueName('Uslu'))
    },
  )

  journey(
    '[GHOST-08] [GHOST-10] ghost-bans a guest, who goes on as before, and lifts it',
    async ({ site, desktop, phone }) => {
      liftAllBans(site)
      const root = await enterAsRootAdmin(site, await desktop())
      const [badName, goodName] = [uniqueName('Perde'), uniqueName('Papatya')]
      const bad = await (await phone()).openRoomAsGuest(badName)
      const good = await (await desktop()).openRoomAsGuest(goodName)
      const [shown, hidden, after] = ['önceki', 'gizli', 'sonraki'].map((word) => `Söz ${word} ${badName}`) as [
        string,
        string,
        string,
      ] // of three words
      await bad.sendMessage(shown)
      for (const each of [good, root]) await each.waitForMessage(shown)

      await openProfileMenu(root, badName)
      await root.page.getByRole('menuitem', { name: 'Ghost Ban' }).click()
      const form = root.page.getByRole('dialog', { name: 'Ghost Ban' })
      expect(await form.getByRole('radio').count()).toBe(3)
      await form.getByText('1 Saat').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await root.page.getByText(`${badName} 1 saat ghost banlandı.`).waitFor()

      await bad.sendMessage(hidden)
      // The mark is part of the bubble's text.
      await root.waitForMessage(`Hayalet · ${hidden}`)
      await good.sendMessage(`Araya giren ${goodName}`)
      await bad.waitForMessage(`Araya giren ${goodName}`)
      await bad.page.reload()
      for (const text of [shown, hidden]) await bad.waitForMessage(text)
      expect(await bad.page.getByText('Hayalet').count()).toBe(0)
      await good.page.reload()
      await good.waitForMessage(shown)
      expect(await good.bubble(hidden).count()).toBe(0)

      await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await root.page.getByRole('menuitem', { name: 'Ban Kaldır' }).click()
      await root.page.getByText(`${badName} kullanıcısının yasağı kaldırıldı.`).waitFor()
      await bad.sendMessage(after)
      await good.waitForMessage(after)
      expect(await good.bubble(hidden).count()).toBe(0)
    },
  )

  journey(
    '[MOD-03] [MOD-17] bans a member on a phone, who reads the reason and is logged out to the landing page',
    async ({ site, desktop, phone }) => {
      liftAllBans(site)
      const root = await enterAsRootAdmin(site, await desktop())
      const name = uniqueName('Üye')
      const password = await createSiteRootAdmin(site, name)
      demoteToMember(site, name)
      const member = await (await phone()).openRoomAs(name, password)
      for (const failure of [/status of 403/, /status of 401/]) member.errors.allow(failure)
      await openProfileMenu(root, name)
      await root.page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Siteden Yasakla' })
      await form.getByText('Süresiz Yasakla').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()

      await member.page.waitForURL((url) => url.pathname === '/')
      await member.page
        .getByRole('alert')
        .getByText('Siteden süresiz olarak yasaklandın. Sebep: Uygunsuz Mesaj.')
        .waitFor()
      expect(await member.page.getByText('olarak devam et').count()).toBe(0)
      expect(
        await member.page.evaluate(() => [localStorage.getItem('username'), localStorage.getItem('token')]),
      ).toEqual([null, null])
      await member.page.getByText('Üye misin?').click()
      await member.page.getByLabel('Kullanıcı adı').fill(name)
      await member.page.getByLabel('Şifre').fill(password)
      await member.page.getByLabel('Şifre').press('Enter')
      await member.page
        .getByText(/^Siteden süresiz olarak yasaklandın\./)
        .first()
        .waitFor()
      liftAllBans(site)
    },
  )

  journey(
    '[MOD-11] [MOD-21] clears a room after a confirmation, and everybody sees it empty',
    async ({ site, desktop }) => {
      liftAllBans(site)
      const root = await enterAsRootAdmin(site, await desktop())
      const guest = await (await desktop()).openRoomAsGuest(uniqueName('Lale'))
      const words = uniqueName('Silinecek sözler ')
      await root.sendMessage(words)
      await guest.waitForMessage(words)

      await guest.openContextMenu()
      expect(await guest.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).count()).toBe(0)
      await guest.page.keyboard.press('Escape')
      const ask = async () => {
        await root.openContextMenu()
        await root.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).click()
        return root.page.getByRole('dialog', { name: 'Oda Mesajlarını Temizle' })
      }
      await (await ask()).getByRole('button', { name: 'Vazgeç' }).click()
      await root.page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await guest.bubble(words).count()).toBe(1)

      await (await ask()).getByRole('button', { name: 'Temizle', exact: true }).click()
      await guest.bubble(words).waitFor({ state: 'detached' })
      await root.bubble(words).waitFor({ state: 'detached' })
      await guest.page.reload()
      await guest.waitForRoom()
      expect(await guest.bubble(words).count()).toBe(0)
      await root.sendMessage('Temiz sayfa')
      await guest.waitForMessage('Temiz sayfa')
    },
  )
})
