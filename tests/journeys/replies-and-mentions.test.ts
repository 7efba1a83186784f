// @module-tag deep
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** The bubble of a confirmed message with this text; quotes do not count. */
function sentBubble(visitor: ChatPage, text: string): Locator {
  return visitor.bubble(text, 'sent')
}

/** The options of the mention list above the composer. */
function mentionOptions(page: Page) {
  return page.getByRole('listbox', { name: 'Bahsedilecek kişi' }).getByRole('option')
}

/** Swipes to the right from the left end of a row. */
async function swipe(page: Page, row: Locator, byPx: number): Promise<void> {
  await row.evaluate((element, distance) => {
    const { left, top, height } = element.getBoundingClientRect()
    const at = (x: number) =>
      new Touch({ identifier: 1, target: element, clientX: left + 20 + x, clientY: top + height / 2 })
    const send = (name: string, touches: Touch[]) =>
      element.dispatchEvent(new TouchEvent(name, { bubbles: true, cancelable: true, touches }))
    send('touchstart', [at(0)])
    for (let x = 10; x <= distance; x += 10) send('touchmove', [at(x)])
    element.setAttribute('data-followed', getComputedStyle(element).translate)
    send('touchend', [])
  }, byPx)
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

describe('replies', () => {
  journey(
    '[CHAT-20] [CHAT-21] [CHAT-23] carry a quote that leads to the original',
    async ({ site, desktop, speaker }) => {
      const author = await speaker('Sözcü', { role: 'rootAdmin' })
      const visitor = await (await desktop()).openRoomAsGuest('Yanıtçı')
      const { page } = visitor
      const long = `Uzun ${'söz '.repeat(40)}`.trim()
      const longId = await author.sendMessage(long)

      const original = sentBubble(visitor, long)
      await original.hover()
      await original.getByRole('button', { name: /^Yanıtla:/ }).click()
      const bar = page.locator('.reply-bar')
      await bar.getByText(`${long.slice(0, 60).trimEnd()}…`).waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Mesaj yaz')
      await visitor.composer.press('Escape')
      await bar.waitFor({ state: 'detached' })

      await original.getByRole('button', { name: /^Yanıtla:/ }).focus()
      await page.keyboard.press('Enter')
      await bar.waitFor()
      await visitor.sendMessage('katılıyorum')
      await bar.waitFor({ state: 'detached' })
      await author.waitForMessage('Katılıyorum')
      const quotedText = `${long.slice(0, 100).trimEnd()}…`
      const received = author.connection.receivedEvents('message').at(-1)
      expect(received?.replyTo).toMatchObject({ id: longId, content: quotedText, senderUsername: 'Sözcü' })
      await author.sendMessage('yani öyle', longId)
      // The own reply was sent here, the other one came as an event.
      const replies = ['Katılıyorum', 'Yani öyle'].map((text) => sentBubble(visitor, text))
      for (const reply of replies) {
        await reply
          .getByRole('button', { name: /^Yanıtlanan: Sözcü/ })
          .getByText(quotedText)
          .waitFor()
        await visitor.composer.focus()
        await reply.getByRole('button', { name: /^Yanıtlanan/ }).click()
        await page.waitForFunction((text) => document.activeElement?.textContent?.includes(text), long)
      }
      await page.reload()
      for (const reply of replies) await reply.getByText(quotedText).waitFor()

      // Removes the original, as a ban of its sender does.
      updateSiteDatabase(site, 'delete from message where content = ?', long)
      await page.reload()
      for (const reply of replies) await reply.getByText('Yanıtlanan mesaj artık görünmüyor.').waitFor()
      expect(await visitor.messageLog.getByText(/Uzun söz/).count()).toBe(0)
    },
  )

  journey('[CHAT-22] start by a swipe of 60 px, which follows the finger for 100 px', async ({ site, phone }) => {
    const visitor = await (await phone()).openRoomAs('Parmak', await site.createRootAdmin('Parmak'))
    await visitor.sendMessage('beni kaydır')
    const row = sentBubble(visitor, 'Beni kaydır')
    await row.waitFor()
    const bar = visitor.page.locator('.reply-bar')
    // The swipe works once its island is live.
    await expect
      .poll(async () => {
        await swipe(visitor.page, row, 50)
        return row.getAttribute('data-followed')
      })
      .toBe('50px')
    expect(await bar.count()).toBe(0)
    await swipe(visitor.page, row, 200)
    expect(await row.getAttribute('data-followed')).toBe('100px')
    await bar.getByText('Beni kaydır').waitFor()
    await bar.getByRole('button', { name: 'Yanıttan vazgeç' }).tap()
    await bar.waitFor({ state: 'detached' })
  })
})

describe('mentions and typing', () => {
  journey(
    '[CHAT-24] [CHAT-26] mentions are completed by keyboard with names of the room',
    async ({ site, desktop, speaker }) => {
      const writer = await (await desktop()).openRoomAs('Çağıran', await site.createRootAdmin('Çağıran'))
      const mentioned = await speaker('Zeynep1')
      await speaker('Zeynep2')
      await writer.page.getByText('Zeynep2').first().waitFor({ state: 'attached' })

      await writer.composer.pressSequentially('selam @zey')
      await expect.poll(() => mentionOptions(writer.page).allTextContents()).toEqual(['Zeynep1', 'Zeynep2'])
      await writer.composer.press('Escape')
      await mentionOptions(writer.page).first().waitFor({ state: 'detached' })
      // A dismissed mention stays so until it ends.
      await writer.composer.fill('')
      await writer.composer.fill('selam @z')
      await expect.poll(() => mentionOptions(writer.page).allTextContents()).toEqual(['Zeynep1', 'Zeynep2'])
      await writer.composer.press('ArrowDown')
      await writer.composer.press('Tab')
      await expect.poll(() => writer.composer.inputValue()).toBe('selam @Zeynep2 ')
      await writer.composer.pressSequentially('ve @zeynep')
      await expect.poll(() => mentionOptions(writer.page).count()).toBe(2)
      await writer.composer.press('Enter')
      await expect.poll(() => writer.composer.inputValue()).toBe('selam @Zeynep2 ve @Zeynep1 ')
      await writer.composer.pressSequentially('ve @ZEYNEP1 ve @Hiçkimse')
      await writer.composer.press('Enter')

      const text = 'Selam @Zeynep2 ve @Zeynep1 ve @ZEYNEP1 ve Hiçkimse'
      await mentioned.waitForMessage(text)
      const mentionsIn = async (content: string, kind = '') => {
        await writer.waitForMessage(content)
        return sentBubble(writer, content).locator(`.mention${kind}`).allTextContents()
      }
      expect(await mentionsIn(text)).toEqual(['@Zeynep2', '@Zeynep1', '@ZEYNEP1'])
      expect(await mentionsIn(text, '[data-self=true]')).toEqual([])
      const answer = 'Selam @Zeynep2 ve @Çağıran ve @ÇAĞIRAN'
      await mentioned.sendMessage(answer)
      expect(await mentionsIn(answer)).toEqual(['@Zeynep2', '@Çağıran', '@ÇAĞIRAN'])
      expect(await mentionsIn(answer, '[data-self=true]')).toEqual(['@Çağıran', '@ÇAĞIRAN'])
    },
  )

  journey('[CHAT-25] a mention shows a toast in another room', async ({ desktop, speaker }) => {
    const writer = await speaker('Seslenen', { role: 'rootAdmin' })
    const { page } = await (await desktop()).openRoomAsGuest('Uzakta', 3)
    await page.getByRole('heading', { name: '#Müzik' }).waitFor()
    // Only mentions that come to a connected page have a toast.
    const arrivals = () => writer.connection.receivedEvents('userJoined').map(({ user }) => user.username)
    await writer.connection.waitFor(() => arrivals().includes('Uzakta'))
    await writer.sendMessage('@Uzakta gelsene')
    await page.getByText('Seslenen senden bahsetti: @Uzakta gelsene').waitFor()
    await writer.waitForMessage('@Uzakta gelsene')
    const notices = ['mentionNotification', 'newNotification']
    expect(writer.connection.events.filter((event) => notices.includes(event.name))).toEqual([])
  })

  journey('[CHAT-29] others see who is typing, and the writer does not', async ({ desktop, speaker }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Katip1')
    const [other, neighbour] = [await speaker('Bekleyen'), await speaker('Komşu')]
    const hint = visitor.page.locator('.typing-indicator')
    // The code of the hint, which also sends the signal, loads after the composer.
    await expect
      .poll(async () => {
        await other.request('typing', { roomId: 1 })
        return hint.getByText('Bekleyen yazıyor').isVisible()
      })
      .toBe(true)
    await visitor.composer.pressSequentially('a')
    const seenTypists = () => other.connection.receivedEvents('typing').flatMap(({ users }) => users)
    await other.connection.waitFor(() => seenTypists().some(({ username }) => username === 'Katip1'))
    await neighbour.sendMessage('merhaba')
    await visitor.waitForMessage('Merhaba')
    expect(await hint.filter({ hasText: 'Katip1' }).count()).toBe(0)
    await hint.waitFor({ state: 'detached' })
  })
})

describe('links and emoji', () => {
  journey('[CHAT-27] links open in a new tab, and no other markup becomes a link', async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAs('Adresçi', await site.createRootAdmin('Adresçi'))
    for (const asTyped of ['ornek.com adresine bak', 'ali@ornek.com yaz']) {
      await visitor.sendMessage(asTyped)
      await visitor.waitForMessage(asTyped)
    }
    const text = 'Bak https://meydan.example/a?b=<i>, www.x.example. javascript:alert(1) "onclick=alert(1)'
    await visitor.sendMessage(text)
    const message = sentBubble(visitor, text)
    await message.waitFor()
    const links = await message.locator('a').evaluateAll((all) =>
      all.map((link) => ({
        href: link.getAttribute('href'),
        rel: link.getAttribute('rel'),
        target: link.getAttribute('target'),
      })),
    )
    const linkAttributes = { rel: 'noopener noreferrer nofollow ugc', target: '_blank' }
    expect(links).toEqual([
      { href: 'https://meydan.example/a?b=', ...linkAttributes },
      { href: 'https://www.x.example', ...linkAttributes },
    ])
    expect(await message.locator('i').count()).toBe(0)
  })

  journey(
    '[CHAT-28] [CHAT-43] [SHELL-25] emoji are picked in Turkish, and the picker loads from the site alone',
    async ({ site, desktop }) => {
      const visitor = await (await desktop()).openRoomAs('Suratlı', await site.createRootAdmin('Suratlı'))
      const { page } = visitor
      const requestedUrls: string[] = []
      page.on('request', (request) => requestedUrls.push(request.url()))
      await visitor.composer.fill('ne güzel ')
      await page.getByRole('button', { name: 'Emoji seç' }).click()
      const picker = page.getByRole('dialog', { name: 'Emoji seç' })
      await picker.getByPlaceholder('Arama').waitFor()
      await picker.getByText('Suratlar & İnsanlar').waitFor()
      const shown = await picker.locator('meydan-emoji').evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        perLine: element.shadowRoot?.querySelector('.row')?.querySelectorAll('button').length,
      }))
      expect(shown).toEqual({ height: 250, perLine: 7 })
      for (const [word, emoji] of Object.entries({ gülen: '😀', gozyasi: '😂', 'İTFAİYE arabası': '🚒' })) {
        await picker.getByPlaceholder('Arama').fill(word)
        await picker.getByRole('option', { name: emoji, exact: true }).waitFor()
      }
      await picker.getByPlaceholder('Arama').fill('heart_eyes')
      await picker.getByRole('option', { name: '😍' }).click()
      await expect.poll(() => visitor.composer.inputValue()).toBe('ne güzel 😍')
      await page.keyboard.press('Escape')
      await picker.waitFor({ state: 'detached' })
      await visitor.composer.press('Enter')
      const sent = sentBubble(visitor, 'Ne güzel 😍')
      await sent.waitFor()

      await sent.hover()
      await sent.getByRole('button', { name: /^Yanıtla:/ }).click()
      const bar = page.locator('.reply-bar')
      await bar.waitFor()
      await page.getByRole('button', { name: 'Emoji seç' }).click()
      await picker.getByPlaceholder('Arama').waitFor()
      await visitor.composer.press('Escape')
      await picker.waitFor({ state: 'detached' })
      expect(await bar.isVisible()).toBe(true)
      await visitor.composer.press('Escape')
      await bar.waitFor({ state: 'detached' })

      const storage = await page.evaluate(() => ({ ...localStorage }))
      expect(storage['emoji-mart.last']).toBe('"heart_eyes"')
      expect(requestedUrls.filter((url) => !url.startsWith(site.origin) && /^http/.test(url))).toEqual([])
    },
  )
})
