import { describe, expect } from 'vitest'
import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const profileDialog = ({ page }: ChatPage) => page.getByRole('dialog', { name: 'Profil', exact: true })
const blockListDialog = ({ page }: ChatPage) => page.getByRole('dialog', { name: 'Engellenen Kullanıcılar' })
const blockButton = (visitor: ChatPage) => profileDialog(visitor).getByRole('button', { name: 'Engelle', exact: true })
const replyRow = (visitor: ChatPage, text: string) =>
  visitor.messageLog.locator('.bubble-row').filter({ has: visitor.page.locator('.bubble-text').getByText(text) })

/** Opens a user's profile by the name in the thread. */
async function openProfileFromThread(visitor: ChatPage, username: string): Promise<void> {
  await visitor.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.messageLog.locator(`.group-person[data-person="${username}"]`).last().click()
  await profileDialog(visitor).waitFor()
}

async function openBlockList(visitor: ChatPage): Promise<void> {
  await visitor.openContextMenu()
  await visitor.page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
  await blockListDialog(visitor).waitFor()
}

/** Does it over HTTP, as another tab of the same user. */
function postFromOtherTab({ page }: ChatPage, path: string, blockedUsername: string): Promise<number> {
  return page.evaluate(
    async ([to, name]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' }
      const answered = await fetch(`/api/users/${to}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ blockedUsername: name }),
      })
      return answered.status
    },
    [path, blockedUsername] as const,
  )
}

/** Inserts old messages of two users, alternating. */
function insertOldMessages(site: Site, one: string, other: string, count: number): void {
  const insertMessages = `insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    select 1, case when i % 2 then one.id else other.id end, 'Eski söz ' || i, 1, 'eski-' || i || one.id, ${Date.now()} - 100000 + i
    from n, user one, user other where one.username = ? and other.username = ?`
  updateSiteDatabase(site, insertMessages, one, other)
}

describe('a user who blocks another', () => {
  journey(
    '[REL-09] [REL-16] [REL-17] [REL-20] [REL-23] hides their messages at once, and shows them again once the block is lifted',
    async ({ speaker, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      const can = await (await desktop()).openRoomAsGuest('Caner')
      const deniz = await speaker('Deniz')
      await can.sendMessage('Rahatsız edici sözler')
      await deniz.waitForMessage('Rahatsız edici sözler')
      await deniz.sendMessage('Ayıp ama', deniz.connection.receivedEvents('message')[0]?.id)
      await ada.waitForMessage('Ayıp ama')
      await ada.bubble('Rahatsız edici sözler').hover()
      await ada
        .bubble('Rahatsız edici sözler')
        .getByRole('button', { name: /^Yanıtla:/ })
        .click()
      const replying = ada.page.getByRole('button', { name: 'Yanıttan vazgeç' })
      await replying.waitFor()

      await openProfileFromThread(ada, 'Caner')
      await blockButton(ada).click()
      const ask = ada.page.getByRole('dialog', { name: 'Engelle', exact: true })
      await ask.getByRole('button', { name: 'Vazgeç' }).click()
      await ask.waitFor({ state: 'hidden' })
      expect(await ada.bubble('Rahatsız edici sözler').count()).toBe(1)
      await profileDialog(ada).getByRole('button', { name: 'Diğer işlemler' }).click()
      await ada.page.getByRole('menuitem', { name: 'Engelle', exact: true }).click()
      await ask.getByRole('button', { name: 'Engelle', exact: true }).click()
      await ada.page.getByText('Caner engellendi.').waitFor()
      await profileDialog(ada).getByText('Kullanıcıyı engellediniz').waitFor()
      await ada.bubble('Rahatsız edici sözler').waitFor({ state: 'detached' })
      await replyRow(ada, 'Ayıp ama').getByText('Yanıtlanan mesaj artık görünmüyor.').waitFor()
      await replying.waitFor({ state: 'detached' })

      await can.sendMessage('Beni duyan var mı')
      await deniz.waitForMessage('Beni duyan var mı')
      await ada.page.keyboard.press('Escape')
      await ada.sendMessage('Sessizlik güzel')
      await can.waitForMessage('Sessizlik güzel')
      expect(await ada.bubble('Beni duyan var mı').count()).toBe(0)
      expect(await replyRow(can, 'Ayıp ama').getByText('Rahatsız edici sözler').count()).toBe(1)
      await openProfileFromThread(can, 'Adanur')
      await profileDialog(can).getByText('Kullanıcı sizi engelledi').waitFor()
      expect(await blockButton(can).count()).toBe(0)
      await profileDialog(can).getByRole('button', { name: 'Diğer işlemler' }).click()
      await can.page.getByRole('menuitem', { name: 'Engelle', exact: true }).waitFor()
      await can.page.keyboard.press('Escape')
      await ada.page.reload()
      await ada.waitForRoom()
      await ada.waitForMessage('Sessizlik güzel')
      expect(await ada.page.getByText('Rahatsız edici sözler').count()).toBe(0)

      await openBlockList(ada)
      await blockListDialog(ada).getByRole('button', { name: 'Engeli Kaldır: Caner' }).click()
      await ada.page.getByText('Caner engeli kaldırıldı.').waitFor()
      await blockListDialog(ada).getByText('Henüz engellenmiş kullanıcı yok').waitFor()
      await blockListDialog(ada).getByRole('button', { name: 'Geri' }).click()
      await ada.waitForMessage('Beni duyan var mı')
      await ada.waitForMessage('Rahatsız edici sözler')
      await replyRow(ada, 'Ayıp ama').getByText('Rahatsız edici sözler').waitFor()
      // The open profile of the other user shows all fields again.
      await profileDialog(can)
        .getByText(/çevrimiçi$/i)
        .waitFor()
      await blockButton(can).waitFor()
      expect(await can.page.getByRole('alert').count()).toBe(0)
    },
  )

  journey(
    '[REL-17] [REL-20] keeps the scroll position when the block is lifted during reading, and sees all messages',
    { tags: 'deep' },
    async ({ site, speaker, desktop }) => {
      const [can, deniz] = [await speaker('Caner'), await speaker('Deniz')]
      insertOldMessages(site, 'Caner', 'Deniz', 200)
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      expect(await postFromOtherTab(ada, 'block', 'Caner')).toBe(200)
      await ada.bubble('Eski söz 199').waitFor({ state: 'detached' })
      await ada.bubble('Eski söz 200').waitFor()
      await ada.messageLog.hover()
      const goal = ada.bubble('Eski söz 100')
      const waitForFrames = () =>
        ada.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await expect
        .poll(async () => {
          await ada.page.mouse.wheel(0, -2000)
          await waitForFrames()
          return goal.count()
        })
        .toBe(1)
      await goal.scrollIntoViewIfNeeded()
      await waitForFrames()
      const lowest = () =>
        ada.messageLog.evaluate((log) => {
          const { bottom } = log.getBoundingClientRect()
          const rows = [...log.querySelectorAll<HTMLElement>('[data-key]')]
          const row = rows.findLast((one) => one.getBoundingClientRect().top < bottom)
          return { key: row?.dataset.key, top: Math.round(row?.getBoundingClientRect().top ?? 0) }
        })
      const before = await lowest()
      await ada.page.evaluate(() => Object.assign(window, { isSamePage: true }))
      expect(await postFromOtherTab(ada, 'unblock', 'Caner')).toBe(200)
      await ada.bubble('Eski söz 101').waitFor()
      await ada.bubble('Eski söz 199').waitFor({ state: 'attached' })
      const row = await ada.messageLog.locator(`[data-key="${before.key}"]`).boundingBox()
      expect(Math.abs(Math.round(row?.y ?? 0) - before.top)).toBeLessThanOrEqual(1)
      expect(await ada.page.evaluate(() => 'isSamePage' in window)).toBe(true)
      await can.connection.waitFor(() => can.connection.receivedEvents('userUnblocked').length === 1)
      await deniz.sendMessage('Bitti')
      await deniz.waitForMessage('Bitti')
      for (const name of ['userBlocked', 'userUnblocked'] as const)
        expect(deniz.connection.receivedEvents(name)).toEqual([])
    },
  )
})

describe('the list of blocked users', () => {
  journey('[REL-19] [REL-21] follows changes in another tab, on a phone', async ({ speaker, phone }) => {
    await speaker('Caner')
    const ada = await (await phone()).openRoomAsGuest('Adanur')
    await ada.page.getByRole('button', { name: 'Ayarlar' }).click()
    await ada.page.getByRole('button', { name: 'Engellenen Kullanıcılar' }).click()
    await blockListDialog(ada).getByText('Henüz engellenmiş kullanıcı yok').waitFor()
    expect(await postFromOtherTab(ada, 'block', 'Caner')).toBe(200)
    const lift = blockListDialog(ada).getByRole('button', { name: 'Engeli Kaldır: Caner' })
    await lift.waitFor()
    expect((await lift.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await postFromOtherTab(ada, 'unblock', 'Caner')).toBe(200)
    await lift.waitFor({ state: 'detached' })
    await blockListDialog(ada).getByRole('button', { name: 'Geri' }).click()
    await blockListDialog(ada).waitFor({ state: 'hidden' })
    await ada.page.getByRole('dialog', { name: 'Ayarlar' }).waitFor()
  })

  journey('[REL-19] [REL-20] [SHELL-82] shows loading and failures', async ({ speaker, desktop }) => {
    await speaker('Caner')
    const ada = await (await desktop()).openRoomAsGuest('Adanur')
    ada.errors.allow(/Failed to load resource|net::ERR_FAILED/)
    const response = Promise.withResolvers<void>()
    await ada.page.route('**/api/users/blocked-users', async (route) => {
      await response.promise
      await route.abort()
    })
    await openBlockList(ada)
    await blockListDialog(ada).getByText('Yükleniyor...').waitFor()
    response.resolve()
    await ada.page.locator('.toast', { hasText: 'Engellenen kullanıcılar yüklenirken hata oluştu.' }).waitFor()
    await ada.page.locator('.list-note', { hasText: 'Yüklenemedi.' }).waitFor()
    await ada.page.unroute('**/api/users/blocked-users')
    await postFromOtherTab(ada, 'block', 'Caner')
    await blockListDialog(ada).getByRole('button', { name: 'Tekrar dene' }).click()
    await ada.page.route(/\/users\/(un)?block$/, (route) => route.abort())
    await blockListDialog(ada).getByRole('button', { name: 'Engeli Kaldır: Caner' }).click()
    await ada.page.getByText('Engel kaldırılırken hata oluştu.').waitFor()
    await ada.page.keyboard.press('Escape')
    await blockListDialog(ada).waitFor({ state: 'hidden' })

    await ada.page.locator('.person', { hasText: 'Caner' }).click()
    await profileDialog(ada).getByRole('button', { name: 'Engeli Kaldır' }).click()
    await ada.page.getByText('Kullanıcının engelini kaldırırken bir hata oluştu.').waitFor()
    await ada.page.unroute(/\/users\/(un)?block$/)
    await profileDialog(ada).getByRole('button', { name: 'Engeli Kaldır' }).click()
    await ada.page.getByText('Kullanıcının engeli kaldırıldı.').waitFor()
    await blockButton(ada).click()
    await ada.page.route(/\/users\/block$/, (route) => route.abort())
    const ask = ada.page.getByRole('dialog', { name: 'Engelle', exact: true })
    await ask.getByRole('button', { name: 'Engelle', exact: true }).click()
    await ada.page.getByText('Kullanıcı engellenirken bir hata oluştu.').waitFor()
  })

  journey('[REL-19] [CHAT-19] shows every name as text', { tags: 'deep' }, async ({ site, desktop }) => {
    const ada = await (await desktop()).openRoomAsGuest('Adanur')
    const names = ['"><img src=x onerror="window.hit=1">', '</button><script>window.hit = 1</script>', '!\u202Eters']
    for (const name of names) {
      const sql = `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
        values (?, ?, 0, 'member', 'web', 0, 0)`
      updateSiteDatabase(site, sql, name, foldName(name))
      updateSiteDatabase(
        site,
        'insert into block (blockerId, blockedId, createdAt) select a.id, b.id, 1 from user a, user b where a.username = ? and b.username = ?',
        'Adanur',
        name,
      )
    }
    await openBlockList(ada)
    for (const name of names) await blockListDialog(ada).getByText(name, { exact: true }).waitFor()
    expect(await ada.page.evaluate(() => 'hit' in window)).toBe(false)
    expect(await blockListDialog(ada).locator('img[src="x"], script').count()).toBe(0)
    const [first = ''] = names
    await blockListDialog(ada)
      .getByRole('button', { name: `Engeli Kaldır: ${first}` })
      .click()
    await ada.page.getByText(`${first} engeli kaldırıldı.`).waitFor()
    expect(await ada.page.evaluate(() => 'hit' in window)).toBe(false)
  })
})
