import type { Locator, Page } from 'playwright-core'
import { PageErrors } from '../drivers/browser.ts'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'

/** Far longer than the last island takes to become live on a busy machine. */
const MAX_HYDRATION_MS = 60_000

const toTrue = (): boolean => true
const toFalse = (): boolean => false

/** A user with a browser context, with the actions and readings of a person. */
export class ChatPage {
  readonly page: Page
  readonly errors: PageErrors
  /** The guest form. */
  readonly nameField: Locator
  readonly composer: Locator
  readonly messageLog: Locator

  constructor(page: Page) {
    this.page = page
    this.errors = new PageErrors(page)
    this.nameField = page.getByLabel('Adın', { exact: true })
    this.composer = page.getByRole('textbox', { name: 'Mesaj yaz' })
    this.messageLog = page.getByRole('log')
  }

  /** Opens the landing page and enters a room as a guest. */
  async enterAsGuest(username: string): Promise<this> {
    await this.page.goto('/')
    await this.nameField.fill(username)
    await this.nameField.press('Enter')
    return this.waitForRoom()
  }

  /** Signs in a guest over HTTP and opens a room: one page load, where `enterAsGuest` has two. */
  openRoomAsGuest(username: string, roomId?: number): Promise<this> {
    return this.signInByApi('guest-login', { username }, roomId)
  }

  /** Sends the log-in form, which hands a root admin's admin token to the next page, and opens a room: one page load. */
  async openRoomAs(username: string, password: string, roomId = 1): Promise<this> {
    const form = { username, password, lastLoginPlatform: 'web' }
    const answer = await this.page.request.post('/api/users/login', { form, maxRedirects: 0 })
    if (answer.status() !== 303) throw new Error(`the log-in answered ${answer.status()}: ${await answer.text()}`)
    return this.openRoom(roomId)
  }

  /** Registers a member over HTTP and opens room 1. */
  enterAsMember(username: string): Promise<this> {
    return this.signInByApi('register', { username, password: MEMBER_PASSWORD, age: 27, termsAccepted: true })
  }

  /** Signs in over HTTP with the forms' fields and opens a room. */
  async signInByApi(way: 'guest-login' | 'register', fields: object, roomId = 1): Promise<this> {
    const data = { lastLoginPlatform: 'web', ...fields }
    const answer = await this.page.request.post(`/api/users/${way}`, { data })
    if (!answer.ok()) throw new Error(`${way} answered ${answer.status()}: ${await answer.text()}`)
    return this.openRoom(roomId)
  }

  private async openRoom(roomId: number): Promise<this> {
    await this.page.goto(`/room/${roomId}`)
    return this.waitForRoom()
  }

  /** Unfolds the members' form, whose summary is `fold`, and signs in. */
  async signIn(username: string, password: string, fold = 'Üye misin?'): Promise<this> {
    await this.page.goto('/')
    await this.page.getByText(fold).click()
    await this.page.getByLabel('Kullanıcı adı').fill(username)
    await this.page.getByLabel('Şifre').fill(password)
    await this.page.getByLabel('Şifre').press('Enter')
    return this.waitForRoom()
  }

  /** Resolves when the room is open, and its composer, thread and header are hydrated. */
  async waitForRoom(): Promise<this> {
    const live = this.page.locator('m-island[data-live]')
    await this.page.waitForURL(/\/room\/\d+/)
    await live.filter({ has: this.composer }).waitFor()
    await this.page.locator('main m-island[data-live]').filter({ has: this.messageLog }).waitFor()
    await live.filter({ has: this.page.getByRole('banner') }).waitFor()
    return this
  }

  /** Types and presses Enter; repeats it after each wait of the chat limits until the message is accepted. */
  async sendMessage(text: string): Promise<void> {
    const wait = this.page.locator('.notice-pill--warning')
    await this.composer.fill(text)
    await this.composer.press('Enter')
    while ((await this.composer.inputValue()) !== '') {
      await wait.waitFor({ state: 'detached' })
      await this.composer.press('Enter')
    }
  }

  /** Opens the right-click menu; its island may hydrate later than the composer. */
  async openContextMenu(): Promise<void> {
    const isThere = () => this.page.getByRole('menu', { name: 'Menü' }).waitFor({ timeout: 3_000 })
    const press = () => this.messageLog.click({ button: 'right', position: { x: 20, y: 20 } }).then(isThere)
    const deadline = Date.now() + MAX_HYDRATION_MS
    while (!(await press().then(toTrue, toFalse))) if (Date.now() > deadline) throw new Error('the menu did not open')
  }

  /** Opens the own panel. */
  async openSideMenu(): Promise<void> {
    await this.page.getByRole('button', { name: 'Profilim' }).click()
    await this.sideMenuEntry('Tercihlerim').waitFor()
  }

  sideMenuEntry(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Profilim' }).getByRole('button', { name, exact: true })
  }

  /** Logs out to the landing page; a guest lets the name go. */
  async logOut(): Promise<void> {
    await this.openSideMenu()
    await this.sideMenuEntry('Çıkış Yap').click()
    const question = this.page.getByRole('dialog', { name: 'Adın serbest kalsın mı?' })
    await question.or(this.nameField).waitFor()
    if (await question.isVisible()) await question.getByRole('button', { name: 'Çıkış Yap' }).click()
    await this.nameField.waitFor()
  }

  async chooseTheme(name: 'Koyu' | 'Açık' | 'Sistem'): Promise<void> {
    await this.openSideMenu()
    await this.sideMenuEntry('Tercihlerim').click()
    await this.page.getByRole('dialog', { name: 'Tercihlerim' }).getByText(name, { exact: true }).click()
  }

  /** A message of the thread by its own text, not its quote. */
  bubble(text: string, status?: 'sent' | 'pending' | 'failed'): Locator {
    const rows = this.messageLog.locator(status ? `.bubble-row[data-status=${status}]` : '.bubble-row')
    return rows.filter({ has: this.page.locator('.bubble-text').getByText(text, { exact: true }) })
  }

  /** Resolves when the thread shows a confirmed message with this text. */
  async waitForMessage(text: string): Promise<void> {
    await this.bubble(text, 'sent').waitFor()
  }

  /** The message texts of the thread, top to bottom. */
  messageTexts(): Promise<string[]> {
    return this.messageLog.locator('.bubble-text').allTextContents()
  }

  /** Names in the list of people. */
  listedUsernames(): Promise<string[]> {
    return this.page.locator('.person-username').allTextContents()
  }

  /** Resolves when the list of people shows exactly these names, in any order. */
  async waitForUsers(...usernames: string[]): Promise<void> {
    const expected = usernames.sort()
    await this.page.waitForFunction((names) => {
      const shown = [...document.querySelectorAll('.person-username')].map((element) => element.textContent).sort()
      return JSON.stringify(shown) === JSON.stringify(names)
    }, expected)
  }
}
