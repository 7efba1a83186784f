import type { Page } from 'playwright-core'
import type { EventName, EventPayload } from '../../src/shared/protocol/catalogue.ts'
import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'

/** A screen of the site and the steps to it from a new browser context. */
export interface Screen {
  name: string
  /** Console errors that Chromium logs during the steps. */
  expectedError?: RegExp
  /** Set when the steps leave only this sign-in in the browser, so that the next screen can start from it. */
  signedInAs?: 'guest' | 'rootAdmin' | 'nobody'
  open(visitor: ChatPage, site: Site): Promise<unknown>
}

let guestCount = 0
const guestNames = new WeakMap<ChatPage, string>()

/** Enters room 1 with a new name or the name of this browser's previous screen; resolves with the name. */
export async function enterRoomAsGuest(visitor: ChatPage): Promise<string> {
  const knownName = guestNames.get(visitor)
  const name = knownName ?? `Konuk${++guestCount}`
  if (knownName) await returnToRoom(visitor)
  else await visitor.signInByApi('guest-login', { username: name })
  await visitor.waitForMessage('Hoş geldin Çağla! Akşamları daha da kalabalık')
  guestNames.set(visitor, name)
  return name
}

const ROOM_PATH = '/room/1'
const roomStates = new WeakMap<ChatPage, string>()
/** Longer than a page takes to close an overlay on a busy machine; afterwards the room is reloaded. */
const CLOSE_MS = 1_000
/** As much, where no overlay is open and usually nothing closes. */
const SETTLE_MS = 250
/** More than any screen has open. */
const MAX_PRESSES = 5

/** Closes what is open; reloads the room when the page still differs from its loaded state. */
async function returnToRoom(visitor: ChatPage): Promise<void> {
  const { page } = visitor
  const expected = roomStates.get(visitor)
  if (expected && (await closeOverlays(page, expected))) return
  await page.goto(ROOM_PATH)
  await visitor.waitForRoom()
  await page.locator('.person-viewer').waitFor({ state: 'attached' })
  await page
    .getByText(/kişi çevrimiçi/)
    .first()
    .waitFor({ state: 'attached' })
  roomStates.set(visitor, await page.evaluate(describeRoom, {}))
}

/** Closes overlays with Esc, and another panel by opening the user list. Returns whether this leads to the state. */
async function closeOverlays(page: Page, expected: string): Promise<boolean> {
  if (new URL(page.url()).pathname !== ROOM_PATH) return false
  for (let press = 0; press < MAX_PRESSES; press++) {
    const now = await page.evaluate(describeRoom, {})
    if (now === expected) return true
    await page.keyboard.press('Escape')
    if (await waitForState(page, { wanted: expected }, SETTLE_MS)) return true
    if (isNothingOpen(now) || !(await waitForState(page, { unwanted: now }, CLOSE_MS))) break
  }
  const userListButton = page.getByRole('button', { name: /Odadaki kullanıcılar/, expanded: false })
  const visibleButton = userListButton.filter({ visible: true })
  if (!(await visibleButton.isVisible())) return false
  await visibleButton.click({ timeout: CLOSE_MS }).catch(() => {}) // an overlay covers it
  return waitForState(page, { wanted: expected }, CLOSE_MS)
}

interface StateCondition {
  wanted?: string
  unwanted?: string
}

/**
 * Returns whether the page's state is, or is no longer, this one soon. The page looks itself, which costs it less. Only a
 * function can be repeated there: the content security policy refuses to evaluate an expression again.
 */
function waitForState(page: Page, condition: StateCondition, timeout: number): Promise<boolean> {
  return page.waitForFunction(describeRoom, condition, { polling: 30, timeout }).then(
    () => true,
    () => false,
  )
}

/** A description that changes when an overlay is open, a field is filled or the text is enlarged; empty if it is not the wanted one. */
function describeRoom({ wanted, unwanted }: StateCondition): string {
  const overlays = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu], [role=listbox]')]
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
  // A panel that was opened once keeps its empty search field.
  const texts = fields.flatMap(({ value }) => value || [])
  const { fontSize } = document.documentElement.style
  const openCount = overlays.filter((overlay) => overlay.checkVisibility()).length
  const state = JSON.stringify([openCount, location.pathname, fontSize, document.body.innerText, texts])
  return state === unwanted || state !== (wanted ?? state) ? '' : state
}

const isNothingOpen = (state: string) => state.startsWith('[0,')

/** As `enterRoomAsGuest`, and resolves when the user list shows the guest. */
export async function enterRoomWhenListed(visitor: ChatPage): Promise<string> {
  const name = await enterRoomAsGuest(visitor)
  await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
  return name
}

/** As `enterRoomWhenListed`, with the user list of the room or of the room at `path` open. */
export async function enterUserList(visitor: ChatPage, path?: string): Promise<void> {
  await enterRoomWhenListed(visitor)
  if (path) {
    await visitor.page.goto(path)
    await visitor.page.locator('.person').first().waitFor({ state: 'attached' })
  }
  await openUserList(visitor)
}

/** Resolves when the island of the user list is live, which also opens profiles. */
export async function waitForUserList({ page }: ChatPage): Promise<void> {
  await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
}

export async function openUserList(visitor: ChatPage): Promise<void> {
  const { page } = visitor
  await waitForUserList(visitor)
  const button = page.getByRole('button', { name: /Odadaki kullanıcılar/ }).filter({ visible: true })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await page.getByRole('heading', { name: /Odadakiler/ }).waitFor()
}

const rootAdminPasswords = new WeakMap<Site, Promise<string>>()
/** When each browser signed in, in epoch milliseconds. */
const rootAdminVisitors = new WeakMap<ChatPage, number>()
/** Before the admin token expires, so that no screen asks for the password. */
const MAX_ROOT_ADMIN_VISIT_MS = 8 * 60_000

/**
 * Enters room 1 as a root admin, who may write at once. Removes what root admins wrote and, unless this browser signed in
 * a short time ago, their sessions, so that each run shows the same.
 */
export async function enterAsRootAdmin(visitor: ChatPage, site: Site): Promise<void> {
  const passwordPromise = rootAdminPasswords.get(site) ?? site.createRootAdmin('Zeynep')
  rootAdminPasswords.set(site, passwordPromise)
  const password = await passwordPromise
  const rootAdmins = "(select id from user where role = 'rootadmin')"
  updateSiteDatabase(site, `delete from message where senderId in ${rootAdmins}`)
  if (Date.now() - (rootAdminVisitors.get(visitor) ?? 0) < MAX_ROOT_ADMIN_VISIT_MS) return returnToRoom(visitor)
  updateSiteDatabase(site, `delete from session where userId in ${rootAdmins}`)
  rootAdminVisitors.set(visitor, Date.now())
  await visitor.openRoomAs('Zeynep', password)
}

/** Sends a popup to everyone, as a root admin's page would. */
export async function sendPopup({ page }: ChatPage, popup: object): Promise<void> {
  const status = await page.evaluate(async (body) => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${localStorage.getItem('adminToken')}`,
    }
    return (await fetch('/api/root-admin/send-popup', { method: 'POST', headers, body: JSON.stringify(body) })).status
  }, popup)
  if (status !== 200) throw new Error(`the popup was answered with ${status}`)
}

/** Blocks the live connection only. */
export async function blockConnection({ page }: ChatPage): Promise<void> {
  await page.context().routeWebSocket(/\/live$/, (socket) => void socket.close({ code: 4503 }))
}

/** To be called before the visitor enters. Resolves with a function that sends this browser an ephemeral event. */
export async function interceptConnection({ page }: ChatPage) {
  let send: (frame: Buffer) => void = () => {}
  await page.context().routeWebSocket(/\/live$/, (socket) => {
    socket.connectToServer()
    send = (frame) => socket.send(frame)
  })
  return <N extends EventName>(name: N, payload: EventPayload<N>): void =>
    send(Buffer.from(encode([Kind.ephemeral, name, payload])))
}

/** Repeats `send` every 500 ms until the page closes, because the page forgets it or the server overrides it. */
export function repeatUntilClosed({ page }: ChatPage, send: () => void): void {
  send()
  const timer = setInterval(send, 500)
  page.once('close', () => clearInterval(timer))
}

/** To be called before the visitor enters. Keeps toasts open. */
export function keepToastsOpen(visitor: ChatPage): Promise<void> {
  return ignoreTimers(visitor, 2_000)
}

/** To be called before the visitor enters. Timers of exactly this time never fire, so that what they would close stays. */
export async function ignoreTimers({ page }: ChatPage, ignoredMs: number): Promise<void> {
  await page.addInitScript((ignored) => {
    const { setTimeout } = window
    const setOtherTimeout = (run: TimerHandler, ms?: number, ...rest: unknown[]): number =>
      ms === ignored ? 0 : setTimeout(run, ms, ...rest)
    Object.assign(window, { setTimeout: setOtherTimeout })
  }, ignoredMs)
}

/** Types into the open search again until the index has as many messages. Enter would open a result that has appeared meanwhile. */
export async function searchUntilFound(page: Page, text: string, count: number): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
  const searchAgain = async () => {
    await field.fill('')
    await field.fill(text)
    await page
      .getByRole('option')
      .nth(count - 1)
      .waitFor({ timeout: 3_000 })
  }
  while (
    !(await searchAgain().then(
      () => true,
      () => false,
    ))
  );
}
