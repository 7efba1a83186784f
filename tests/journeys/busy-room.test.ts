import { setTimeout as pause } from 'node:timers/promises'
import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { EventPayload } from '../../src/shared/protocol/catalogue.ts'
import { MESSAGES_PER_PAGE } from '../../src/shared/room-chat/limits.ts'
import type { ChatPage } from './chat-page.ts'
import { movingJourney as journey } from './journey.ts'

const MESSAGES_PER_SECOND = 100
/** Messages per burst. */
const MESSAGES_PER_BURST = 10
/** CPU slowdown of a cheap phone. */
const CPU_THROTTLING_RATE = 4
/** A thread trims messages away from the view when it has more than this (client/model/conversation/store/history-pages.ts). */
const MAX_ROWS = 800
const SLOW_POLL = { interval: 100 }
const TYPED_TEXT = 'Kalabalıkta bir harfi eksik kalmaz'

/** A room with more messages than anybody can read. */
interface MessageFlood {
  /** Messages sent and stored so far. */
  sentMessages(): EventPayload<'message'>[]
  /** Resolves after `count` more messages. */
  waitForMore(count: number): Promise<void>
}

type Point = { x: number; y: number }

interface BusyRoomFixtures {
  reader: ChatPage
  flood: MessageFlood
  /** Moves a finger and continues after the events in between. */
  drag: (from: Point, to: Point, meanwhile?: () => Promise<void>) => Promise<void>
}

const busyJourney = journey.extend<BusyRoomFixtures>({
  reader: async ({ site, phone }, use) => {
    await use(await (await phone()).openRoomAs('Okur', await site.createRootAdmin('Okur')))
  },
  flood: async ({ speaker, reader: { page } }, use) => {
    const slow = await page.context().newCDPSession(page)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: CPU_THROTTLING_RATE })
    const [one, other] = [await speaker('Sel', { role: 'rootAdmin' }), await speaker('Dere', { role: 'rootAdmin' })]
    const receivedMessages = () => one.connection.receivedEvents('message')
    let isOver = false
    const talk = async (): Promise<void> => {
      for (let count = 0; !isOver; ) {
        // A machine too busy to render the page gets no more messages.
        const drawn = page.evaluate(() => new Promise(requestAnimationFrame))
        await Promise.all([drawn, pause((MESSAGES_PER_BURST * 1_000) / MESSAGES_PER_SECOND)])
        // The connection may close before the answer.
        for (const upTo = count + MESSAGES_PER_BURST; count < upTo; count++)
          (count % 5 < 3 ? one : other).sendMessage(`Sözüm ${count}`).catch(() => {})
      }
    }
    const talking = talk()
    const more = async (wanted: number) => {
      const upTo = receivedMessages().length + wanted
      await Promise.race([talking, one.connection.waitFor(() => receivedMessages().length >= upTo)])
    }
    await more(2 * MESSAGES_PER_PAGE)
    await use({ sentMessages: receivedMessages, waitForMore: more })
    isOver = true
    await talking
  },
  drag: async ({ reader: { page } }, use) => {
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    await use(async (from, to, meanwhile) => {
      await touch('touchStart', from)
      for (let step = 1; step <= 10; step++) {
        if (step === 2) await meanwhile?.()
        const on = (start: number, end: number) => start + ((end - start) * step) / 10
        await touch('touchMove', { x: on(from.x, to.x), y: on(from.y, to.y) })
      }
      await touch('touchEnd')
    })
  },
})

/**
 * Watches the message in the middle, once it stands still, from frame to frame: how far it goes from its place, and the
 * most rows that there are.
 */
async function watchScrollAnchor(log: Locator): Promise<() => Promise<{ moved: number; rows: number }>> {
  const watched = await log.evaluateHandle(async (thread) => {
    const rows = () => [...thread.querySelectorAll('.bubble-row')]
    const row = rows().find((one) => one.getBoundingClientRect().bottom > innerHeight / 2)
    const top = () => row?.getBoundingClientRect().top ?? 0
    let from = top()
    for (let still = 0; still < 10; still++) {
      await new Promise(requestAnimationFrame)
      if (Math.abs(top() - from) > 1) still = 0
      from = top()
    }
    const most = { moved: 0, rows: 0 }
    const look = (): void => {
      const moved = row?.isConnected ? Math.abs(top() - from) : Number.POSITIVE_INFINITY
      most.moved = Math.max(moved, most.moved)
      most.rows = Math.max(rows().length, most.rows)
      requestAnimationFrame(look)
    }
    look()
    return most
  })
  return async () => ({ ...(await watched.jsonValue()) })
}

describe('a phone in a room with 100 messages a second', () => {
  busyJourney(
    '[CHAT-42] accepts every key in order and sends by the button',
    { tags: 'deep' },
    async ({ reader, flood }) => {
      const { page, composer } = reader
      await composer.tap()
      await page.keyboard.type(TYPED_TEXT)
      await expect.poll(() => composer.inputValue(), SLOW_POLL).toBe(TYPED_TEXT)
      await flood.waitForMore(MESSAGES_PER_PAGE)
      expect(await composer.inputValue()).toBe(TYPED_TEXT)
      await page.getByRole('button', { name: 'Gönder' }).tap()
      await expect
        .poll(() => flood.sentMessages().filter(({ content }) => content === TYPED_TEXT).length, SLOW_POLL)
        .toBe(1)
      expect(await composer.inputValue()).toBe('')
      await composer.and(page.locator(':focus')).waitFor()
    },
  )

  busyJourney(
    '[CHAT-22] [CHAT-42] replies to the message that the finger touched, although it moves meanwhile',
    async ({ reader, flood, drag }) => {
      const { page, composer, messageLog } = reader
      const touched = await messageLog.evaluateHandle((thread) => {
        const last = { id: 0 }
        thread.addEventListener('touchstart', ({ target }) => {
          const row = target instanceof Element ? target.closest<HTMLElement>('.bubble-row') : null
          if (row) last.id = Number(row.dataset.id)
        })
        return last
      })
      // New messages push the touched one away while the finger moves.
      const swipe = () => drag({ x: 195, y: 500 }, { x: 375, y: 500 }, () => flood.waitForMore(2 * MESSAGES_PER_PAGE))
      const answers = async (): Promise<boolean> => {
        await swipe()
        return page.locator('.reply-bar').isVisible()
      }
      await expect.poll(answers, SLOW_POLL).toBe(true)
      const { id } = await touched.jsonValue()
      await composer.fill('Sana diyorum')
      await page.getByRole('button', { name: 'Gönder' }).tap()
      const answer = () => flood.sentMessages().find(({ content }) => content === 'Sana diyorum')
      await expect.poll(() => answer()?.replyTo?.id, SLOW_POLL).toBe(id)
    },
  )

  busyJourney(
    '[CHAT-36] [CHAT-39] keeps the scroll position, counts new messages, and returns to the latest 40',
    { tags: 'deep' },
    async ({ reader, flood, drag }) => {
      const { page, messageLog } = reader
      await drag({ x: 195, y: 300 }, { x: 195, y: 600 })
      const toEnd = page.getByRole('button', { name: /yeni mesaj/ })
      await toEnd.waitFor()
      const watched = await watchScrollAnchor(messageLog)
      const counted = async () => Number((await toEnd.textContent())?.replace(/\D/g, ''))
      for (let round = 0; round < 3; round++) {
        const before = await counted()
        await flood.waitForMore(300)
        await expect.poll(counted, SLOW_POLL).toBeGreaterThan(before + 150)
      }
      const { moved, rows } = await watched()
      expect(moved).toBeLessThanOrEqual(2)
      expect(rows).toBeLessThanOrEqual(MAX_ROWS)

      await toEnd.tap()
      await toEnd.waitFor({ state: 'detached' })
      const from = flood.sentMessages().at(-1)?.id ?? 0
      await page.waitForFunction((id) => {
        const all = [...document.querySelectorAll<HTMLElement>('.bubble-row')]
        return all.length === 40 && Number(all.at(-1)?.dataset.id) > id
      }, from)
      expect(Math.abs(await messageLog.evaluate(({ scrollTop }) => scrollTop))).toBeLessThan(2)
    },
  )
})
