import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { Message } from '../src/shared/room-chat/message.ts'
import { type Device, measureInBrowser, visitPage } from './measure/browser.ts'
import { type EventInjectingProxy, startEventInjectingProxy } from './measure/event-injecting-proxy.ts'
import { createFilledRoom, createSampleMessage, type FilledRoom } from './measure/full-room.ts'
import { readPageTimings, recordPageTimings } from './measure/page-timings.ts'
import { compareFigure, type Figure, type Report, standaloneFigure } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { startListPage } from './peers/list-page.ts'

const ROUNDS = 5
const PEOPLE = 2_000
const PER_SECOND = 100
/** Messages before measuring: enough to replace all that are shown and to run all code once. */
const WARM_UP = 50
const MESSAGES = 200
const SLOWDOWN = 4
const SHOWN_TIMEOUT_MS = 60_000
/** The goal for the longest frame: at least 20 frames a second. */
const FRAME_MS = 50

/** CPU time of the page's main thread for one message, in milliseconds. */
interface MessageCost {
  all: number
  script: number
  style: number
  layout: number
  longestFrameMs: number
}

/** A page that receives the messages of the bench. */
interface FeedTarget {
  url: string
  cookie?: string
  waitForConnection: () => Promise<unknown>
  pushMessage: (message: Message) => void
}

/** Cost of an incoming message in the browser of a user in a full room. */
export function measure(): Promise<Report> {
  return measureInBrowser(async (browser) => {
    const room = await createFilledRoom(PEOPLE)
    const cleanUps: (() => Promise<void>)[] = [() => room.site.stop()]
    try {
      const peer = await startListPage(room.messages, room.styles)
      cleanUps.unshift(() => peer.stop())
      const relay = await startEventInjectingProxy(room.site.server)
      cleanUps.unshift(() => relay.stop())
      const ours = meydanTarget(room, relay)
      const list: FeedTarget = {
        url: peer.url,
        waitForConnection: peer.waitForConnection,
        pushMessage: peer.pushMessage,
      }
      const figures = [
        ...(await measureOn('phone', browser, ours, list, 1)),
        ...(await measureOn('desktop', browser, ours, list, 1)),
        ...(await measureOn('phone', browser, ours, list, SLOWDOWN)),
      ]
      return { figures, notes: notes(browser) }
    } finally {
      for (const cleanUp of cleanUps) await cleanUp()
    }
  })
}

function meydanTarget({ id, owner }: FilledRoom, relay: EventInjectingProxy): FeedTarget {
  return {
    url: `${relay.origin}/room/${id}`,
    cookie: owner,
    waitForConnection: relay.waitForJoin,
    pushMessage: (message) => relay.injectEvent('message', { ...message, roomId: id }),
  }
}

async function measureOn(
  device: Device,
  browser: Browser,
  ours: FeedTarget,
  list: FeedTarget,
  slowdown: number,
): Promise<Figure[]> {
  const cost = await interleave(ROUNDS, {
    ours: () => measureFeed(browser, device, ours, slowdown),
    list: () => measureFeed(browser, device, list, slowdown),
  })
  const label = slowdown === 1 ? device : `${device}, ${slowdown}x slower`
  const of = (part: keyof MessageCost, costs: MessageCost[]) => costs.map((one) => one[part])
  const compare = (part: keyof MessageCost) => {
    const goal = part === 'all' ? { atMost: 1.8 } : undefined
    return compareFigure(`${label}: a message, ${part}`, 'ms of CPU', of(part, cost.ours), of(part, cost.list), goal)
  }
  const frames = (name: string, costs: MessageCost[], goal?: { atMost: number }) =>
    standaloneFigure(`${label}: longest frame over ${FRAME_MS} ms${name}`, 'ms', of('longestFrameMs', costs), goal)
  return [
    ...(['all', 'script', 'style', 'layout'] as const).map(compare),
    frames('', cost.ours, slowdown === 1 ? { atMost: FRAME_MS } : undefined),
    frames(' of the peer', cost.list),
  ]
}

let messageNumber = MESSAGES

function measureFeed(browser: Browser, device: Device, target: FeedTarget, slowdown: number): Promise<MessageCost> {
  const { url, cookie } = target
  return visitPage(browser, { device, url, slowdown, ...(cookie && { cookie }) }, async (page, cdp) => {
    await recordPageTimings(page)
    // Thread time excludes other load on the machine.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const readMetrics = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics')
      return new Map(metrics.map(({ name, value }) => [name, value * 1000]))
    }
    const pushMessages = async (count: number) => {
      const startedAt = performance.now()
      for (let done = 0; done < count; done++) {
        const delayMs = startedAt + (done * 1000) / PER_SECOND - performance.now()
        if (delayMs > 0) await sleep(delayMs)
        target.pushMessage({ ...createSampleMessage(++messageNumber, 0), createdAt: Date.now() })
      }
      // Messages are drawn in order, so the last one shows that all are.
      const last = createSampleMessage(messageNumber, 0).content
      const isShown = (text: string) => [...document.querySelectorAll('.bubble-text')].at(-1)?.textContent === text
      await page.waitForFunction(isShown, last, { timeout: SHOWN_TIMEOUT_MS })
    }

    await Promise.all([target.waitForConnection(), page.goto(url)])
    await pushMessages(WARM_UP)
    const [before, framesBefore] = [await readMetrics(), (await readPageTimings(page)).longFrames.length]
    await pushMessages(MESSAGES)
    const [after, { longFrames }] = [await readMetrics(), await readPageTimings(page)]
    const each = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / MESSAGES
    return {
      all: each('TaskDuration'),
      script: each('ScriptDuration'),
      style: each('RecalcStyleDuration'),
      layout: each('LayoutDuration'),
      longestFrameMs: Math.max(0, ...longFrames.slice(framesBefore)),
    }
  })
}

function notes(browser: Browser): string[] {
  return [
    `Chromium ${browser.version()}; ${PEOPLE} people with a connection each in the room, ${PER_SECOND} messages a second, ${MESSAGES} a round, 40 shown.`,
    'A proxy injects the messages into the browser’s connection: 200,000 deliveries a second on this machine would leave the browser no CPU. fan-out measures those.',
    'The peer is a keyed list in bare React that keeps 40, target with JSON over a plain WebSocket. A longest frame of 0 means that no frame took more than 50 ms.',
  ]
}
