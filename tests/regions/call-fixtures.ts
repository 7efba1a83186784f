import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { launchBrowser, openDesktopPage } from '../drivers/browser.ts'
import { type MediaReading, readMedia, recordCalls } from '../drivers/call-probe.ts'
import { ensureBrowser } from '../drivers/find-browser.ts'
import type { Network, NetworkClient } from '../drivers/network-router.ts'
import { PATIENCE_MS } from '../drivers/patience.ts'
import { ChatPage } from '../journeys/chat-page.ts'
import { uniqueName } from './region-client.ts'

const POLL_MS = 100

/** A user in a network of their own. */
export interface CallUser {
  readonly name: string
  readonly visitor: ChatPage
  readonly page: Page
  readonly client: NetworkClient
  /** What the page has sent and received over its WebSockets, as it went. */
  readonly sent: Buffer[]
  readonly received: Buffer[]
}

/** A browser in the client's namespace. It takes this machine's loopback for the site, so that the pages' origin is trusted. */
export function launchBrowserIn(network: Network, client: NetworkClient): Promise<Browser> {
  return launchBrowser({
    executablePath: client.wrapProgram(ensureBrowser()),
    args: [`--host-resolver-rules=MAP 127.0.0.1 ${network.siteAddresses.ipv4}`],
  })
}

/** Registers a member and opens room 1 in a region. */
export async function openCallUser(
  prefix: string,
  { browser, client, region }: { browser: Browser; client: NetworkClient; region: RegionProcess },
): Promise<CallUser> {
  const page = await openDesktopPage(browser, { baseURL: originOf(region.plan) })
  const [sent, received]: [Buffer[], Buffer[]] = [[], []]
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(Buffer.from(payload)))
    socket.on('framereceived', ({ payload }) => received.push(Buffer.from(payload)))
  })
  await recordCalls(page.context())
  const name = uniqueName(prefix)
  const visitor = await new ChatPage(page).enterAsMember(name)
  return { name, visitor, page, client, sent, received }
}

const button = ({ page }: CallUser, name: string): Locator => page.getByRole('button', { name, exact: true })

/** Calls another user from their profile, with video, and lets them accept. Both must have no call. */
export async function placeCall(caller: CallUser, callee: CallUser): Promise<void> {
  await expectConnected(caller, callee)
  await button(caller, 'Görüntülü ara').click()
  await button(callee, 'Kabul et').click()
}

/** Opens the profile of another user of the room, whose message is in the thread. */
export async function openProfile({ page, visitor }: CallUser, other: CallUser): Promise<void> {
  await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.messageLog.locator(`.group-person[data-person="${other.name}"]`).last().click()
  await page.getByRole('dialog', { name: 'Profil', exact: true }).waitFor()
}

/**
 * Resolves when a message of one user has arrived at the other, so that both pages have a live connection. The media of a call
 * may flow again before that; a call that is placed without a connection ends at once, and nothing rings.
 */
export async function expectConnected(listener: CallUser, speaker: CallUser): Promise<void> {
  const words = uniqueName('Duydun mu ')
  await speaker.visitor.sendMessage(words)
  await listener.visitor.waitForMessage(words)
}

/** Ends a call, and waits until its window is gone from both pages. */
export async function hangUp(user: CallUser, other: CallUser): Promise<void> {
  await button(user, 'Aramayı bitir').click()
  for (const each of [user, other]) await each.page.locator('.call-layer > *').waitFor({ state: 'detached' })
}

/** Whether the user's page shows a call that has not ended. */
export function isInCall(user: CallUser): Promise<boolean> {
  return button(user, 'Aramayı bitir').isVisible()
}

/** What has happened while media was watched. */
export interface MediaProgress {
  before: MediaReading | null
  after: MediaReading
  /** The longest time without another decoded frame. */
  longestStallMs: number
}

/**
 * Resolves when each user has decoded `frames` more pictures and heard more sound. Rejects when it takes longer than
 * `withinMs`, which is far more than it takes.
 */
export function watchMedia(
  users: readonly CallUser[],
  frames: number,
  withinMs = PATIENCE_MS,
): Promise<MediaProgress[]> {
  return Promise.all(users.map((user) => watchUser(user, frames, withinMs)))
}

async function watchUser({ page, name }: CallUser, frames: number, withinMs: number): Promise<MediaProgress> {
  const before = await readMedia(page)
  const startedAt = performance.now()
  let longestStallMs = 0
  let last = before
  let grownAt = startedAt
  for (;;) {
    const now = performance.now()
    const reading = await readMedia(page).catch(() => null) // a page that reloads has none
    if (reading && reading.framesDecoded > (sameConnection(last, reading)?.framesDecoded ?? 0)) {
      longestStallMs = Math.max(longestStallMs, now - grownAt)
      grownAt = now
    }
    if (reading) {
      last = reading
      const base = sameConnection(before, reading)
      const isHeard = reading.audioEnergy > (base?.audioEnergy ?? 0)
      if (isHeard && reading.framesDecoded >= (base?.framesDecoded ?? 0) + frames)
        return { before, after: reading, longestStallMs }
    }
    if (now - startedAt > withinMs)
      throw new Error(
        `${name} does not see and hear the other within ${withinMs} ms: ${JSON.stringify({ before, last })}`,
      )
    await pause(POLL_MS)
  }
}

/** The earlier reading, if it is of the same connection: counters begin with each connection. */
function sameConnection(earlier: MediaReading | null, reading: MediaReading): MediaReading | null {
  return earlier && earlier.connectionId === reading.connectionId ? earlier : null
}

/** Fails if a page has made another connection than the one that it had. */
export function expectSameConnections(progress: readonly MediaProgress[]): void {
  for (const { before, after } of progress) {
    expect(after.connectionId).toBe(before?.connectionId)
    expect(after.state).toBe('connected')
  }
}
