import { describe, expect } from 'vitest'
import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { normaliseMessage } from '../../src/shared/room-chat/rules.ts'
import type { LiveConnection } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { interceptConnection } from '../screens/screen-steps.ts'
import { assertNoXss, BIDI_OVERRIDE_NAME, XSS_CORPUS } from './assert-no-xss.ts'
import { type JourneyFixtures, journey } from './journey.ts'
import { KEYBOARD_POLL } from './keyboard-fixtures.ts'
import { connectGuestsNamed } from './user-list-fixtures.ts'

const OWNER = `${XSS_CORPUS[2]} ${BIDI_OVERRIDE_NAME}`
const ownedJourney = journey.extend<Pick<JourneyFixtures, 'siteEnv'>>({
  siteEnv: [{ MEYDAN_LIMIT_SCALE: '100', MEYDAN_JOIN_WAIT_MS: '0', MEYDAN_OWNER: OWNER }, { scope: 'file' }],
})

describe('markup in messages and names', () => {
  ownedJourney(
    '[CHAT-19] is shown as text in messages, live and after a reload',
    { tags: 'deep' },
    async ({ site, phone, speaker }) => {
      const visitor = await (await phone()).openRoomAs('Kurban', await site.createRootAdmin('Kurban'))
      const other = await speaker('Saldırgan', { role: 'rootAdmin' })
      const shown = XSS_CORPUS.map((text) => normaliseMessage(text))
      for (const text of XSS_CORPUS) await visitor.sendMessage(text)
      await visitor.waitForMessage(shown.at(-1) ?? '')
      for (const text of XSS_CORPUS) await other.sendMessage(text)
      await expect.poll(() => visitor.messageTexts()).toEqual([...shown, ...shown])
      await assertNoXss(visitor.page)
      await visitor.page.reload()
      expect(await visitor.messageTexts()).toEqual([...shown, ...shown])
      await assertNoXss(visitor.page)
    },
  )

  ownedJourney(
    '[CHAT-19] is shown as text in names of users and rooms',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const visitor = await (await desktop()).openRoomAs('Kılıklı', await site.createRootAdmin('Kılıklı'))
      await visitor.sendMessage('adıma bak')
      await visitor.waitForMessage('Adıma bak')
      // No command accepts such names, so they are inserted into the database.
      for (const [index, text] of XSS_CORPUS.entries()) {
        updateSiteDatabase(site, 'update user set username = ? where foldedName = ?', `${text}${index}`, 'kilikli')
        updateSiteDatabase(site, 'update room set name = ?, greetingMessage = ? where id = 1', text, text)
        await visitor.page.goto('/room/1')
        await visitor.page.getByRole('heading', { name: `#${text}` }).waitFor()
        await assertNoXss(visitor.page)
        await visitor.page.goto('/')
        await visitor.page.getByText(`${text}${index} olarak devam et`).waitFor()
        await assertNoXss(visitor.page)
      }
    },
  )
})

const XSS_NAMES = [...XSS_CORPUS, BIDI_OVERRIDE_NAME]

/** Adds a guest with each hostile name to room 1; each replies to the previous one. Resolves with their connections. */
async function fillWithHostileNames(site: Site): Promise<LiveConnection[]> {
  const connections = await connectGuestsNamed(site, XSS_NAMES)
  site.changeDatabase((db) => {
    const insertMessage = db.prepare(
      `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt, replyToId)
       select 1, id, ?, 1, null, hex(randomblob(16)), ?, (select max(id) from message) from user where username = ?`,
    )
    for (const [index, name] of XSS_NAMES.entries()) {
      const words = `@[${name}] ${name} https://ornek.com/"onclick=window.hit=1`
      insertMessage.run(name === BIDI_OVERRIDE_NAME ? BIDI_OVERRIDE_NAME : words, Date.now() - 60_000 + index, name)
    }
    insertMessage.run('Sözcük', Date.now() - 30_000, BIDI_OVERRIDE_NAME)
    for (const [index, name] of [BIDI_OVERRIDE_NAME, ...XSS_CORPUS].slice(0, 5).entries())
      db.prepare('update room set name = ? where id = ?').run(name, index + 1)
    db.exec('insert into roomAdmin (roomId, userId) select 1, id from user where isGuest = 1')
  })
  return connections
}

describe('hostile names, popups and notices', () => {
  ownedJourney(
    '[CHAT-19] [CHAT-27] [CHAT-35] [PRES-18] names of users, rooms and the owner stay text',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const [first = '', second = ''] = XSS_CORPUS
      const connections = await fillWithHostileNames(site)
      const visitor = await (await desktop()).openRoomAs('Bakan', await site.createRootAdmin('Bakan'))
      const { page, messageLog } = visitor
      const people = page.getByRole('list', { name: 'Kullanıcı listesi' })
      const expectSafeAndClose = async (): Promise<void> => {
        await assertNoXss(page)
        const open = await page.locator('dialog[open]').count()
        await page.keyboard.press('Escape')
        await expect.poll(() => page.locator('dialog[open]').count(), KEYBOARD_POLL).toBe(open - 1)
      }
      expect(await page.title()).toBe(`#\u2068${BIDI_OVERRIDE_NAME.replace('\u202E', '')}\u2069 · Meydan`)
      await people.getByText(BIDI_OVERRIDE_NAME, { exact: true }).waitFor()
      // Each replies to the previous one; the first replies to an existing message.
      expect(await messageLog.locator('.quote b').count()).toBeGreaterThanOrEqual(XSS_NAMES.length)
      expect(await messageLog.locator('a[href^="https://ornek.com/"]').count()).toBe(XSS_CORPUS.length)

      for (const connection of connections) connection.socket.send(encode([Kind.signal, 'typing', { roomId: 1 }]))
      await page.locator('.typing-indicator').waitFor()
      await visitor.bubble('Sözcük').hover()
      await visitor
        .bubble('Sözcük')
        .getByRole('button', { name: /^Yanıtla:/ })
        .click()
      await page.locator('.reply-bar').getByText(BIDI_OVERRIDE_NAME).waitFor()
      await visitor.composer.pressSequentially('@')
      await page.getByRole('listbox', { name: 'Bahsedilecek kişi' }).waitFor()
      await assertNoXss(page)
      await visitor.composer.fill('')
      await visitor.sendMessage('Söz bakan')
      await visitor.waitForMessage('Söz bakan')

      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      await page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('window')
      await page.getByRole('option').locator('mark').first().waitFor()
      await expectSafeAndClose()
      await page.getByRole('button', { name: /çevrimiçi/ }).click()
      await page.getByText(OWNER, { exact: true }).waitFor()
      await expectSafeAndClose()
      await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
      await page.getByRole('button', { name: `#${BIDI_OVERRIDE_NAME}: Oda Bilgileri` }).click()
      await page
        .getByRole('dialog', { name: `#${BIDI_OVERRIDE_NAME}` })
        .getByRole('button', { name: 'KADRO' })
        .click()
      await page.locator('.room-detail > section').getByText(second, { exact: true }).waitFor()
      await expectSafeAndClose()
      await page.getByRole('dialog').getByText(first).first().waitFor()
      await expectSafeAndClose()
      await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
      await page.getByText('odasında').waitFor()
      await expectSafeAndClose()
      await page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await people.getByText(BIDI_OVERRIDE_NAME, { exact: true }).waitFor()
      await assertNoXss(page)

      for (const name of [BIDI_OVERRIDE_NAME, second]) {
        await messageLog.locator('.group-person').getByText(name, { exact: true }).first().click()
        await page.getByRole('dialog', { name: 'Profil' }).locator('h3').getByText(name).waitFor()
        await page.getByRole('button', { name: 'Diğer işlemler' }).click()
        await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
        const form = page.getByRole('dialog', { name: 'Siteden Yasakla' })
        await form.getByText(name).waitFor()
        await assertNoXss(page)
        await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
        const toast = page.locator('.toast', { hasText: '10 dakika siteden yasaklandı.' })
        await toast.filter({ hasText: name.replace('\u202E', '') }).waitFor()
        await form.waitFor({ state: 'hidden' })
        await expectSafeAndClose()
      }
      await visitor.openContextMenu()
      await page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      await page.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await page.locator('.bans li').getByText(BIDI_OVERRIDE_NAME).waitFor()
      await expectSafeAndClose()
    },
  )

  ownedJourney(
    '[SHELL-13] [MOD-17] popups and notices run no script of their text',
    { tags: 'deep' },
    async ({ desktop }) => {
      const visitor = await desktop()
      const { page } = visitor
      // The purifier parses in a document of its own, where our policy already reports violations.
      visitor.errors.allow(/Content Security Policy/)
      const sendEvent = await interceptConnection(visitor)
      await visitor.openRoomAsGuest('Söylenen')
      const sender = {
        senderUsername: BIDI_OVERRIDE_NAME,
        senderId: 1,
        senderAvatarUrl: null,
        senderGender: null,
        imagePath: null,
      }
      for (const text of XSS_CORPUS)
        sendEvent('popupNotification', { ...sender, message: `${text}<a href="https://ornek.com">x</a>` })
      sendEvent('popupNotification', { ...sender, message: 'Sonuncu' })
      await page.getByText('Sonuncu').waitFor()
      expect(await page.locator('.popup').count()).toBe(XSS_CORPUS.length + 1)
      await assertNoXss(page)
      sendEvent('systemBannedNotification', {
        message: XSS_CORPUS.join(' '),
        banReason: 'Diğer',
        duration: '10min',
        endsAt: Date.now() + 600_000,
      })
      await page.waitForURL((url) => url.pathname === '/')
      await page.getByText(XSS_CORPUS[0] ?? '').waitFor()
      await assertNoXss(page)
    },
  )
})

describe('the Content-Security-Policy', () => {
  ownedJourney('[HTTP-04] has a new nonce for every page and runs no other inline script', async ({ desktop }) => {
    const visitor = await desktop()
    visitor.errors.allow(/Content Security Policy/)
    const policies = []
    for (const path of ['/', '/', '/olmayan']) {
      const response = await visitor.page.goto(path)
      policies.push(response?.headers()['content-security-policy'] ?? '')
    }
    visitor.errors.allow(/status of 404/)
    const nonces = policies.map((policy) => /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1])
    expect(new Set(nonces).size).toBe(3)
    for (const policy of policies) expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*/)

    await visitor.page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hit = 1'
      document.body.append(script)
      const image = document.createElement('img')
      image.setAttribute('onerror', 'window.hit = 1')
      image.src = 'data:,'
      document.body.append(image)
    })
    await visitor.page.locator('img[onerror]').waitFor({ state: 'attached' })
    expect(await visitor.page.evaluate(() => 'hit' in window)).toBe(false)
  })
})
