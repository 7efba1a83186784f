import type { Person, SignedIn, UserSummary } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { clientMessages, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { DEFAULT_ROOM_ID, HTTP_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import { browserEnvironment, type Cancel, type Environment } from '../live/environment.ts'

/** A fresh token is fetched when this share of the old one's life is over; the first of several tabs does so for all. */
const REFRESH_LIFETIME_RATIO = 0.7
const REFRESH_JITTER_RATIO = 0.1
/** Until when a token is trusted whose life we cannot read. */
const DEFAULT_TOKEN_LIFETIME_MS = 10 * 60_000
/** A refresh that did not get through is tried again after this. */
const REFRESH_RETRY_MS = 30_000

export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

/** Who this browser is: its storage, kept in step with the cookie, which is the truth. */
export class Session {
  private readonly environment: Environment
  private readonly endListeners: ((message?: string) => void)[] = []
  private readonly clearListeners: (() => void)[] = []
  /** Whom this page was rendered for. */
  private user: Person | null = null
  private isOver = false
  private currentTabId: string | null = null
  private hasMadeBrowserId = false
  private pendingRefresh: Promise<RefreshOutcome> | null = null
  private cancelRefresh: Cancel | null = null

  constructor(environment: Environment) {
    this.environment = environment
  }

  /**
   * Puts storage in step with the page just loaded, and sends a stranger to a room back home. A page that could not
   * find out who is signed in says undefined, and changes nothing.
   */
  start(signedIn: Omit<SignedIn, 'success'> | null | undefined): void {
    const { browserStorage, tabStorage, currentPath, renderedTheme, navigateTo, onStorageChange } = this.environment
    browserStorage.set('theme', renderedTheme())
    if (signedIn) {
      const owner = String(signedIn.user.id)
      if ((tabStorage.get('owner') ?? owner) !== owner) this.clearTab()
      tabStorage.set('owner', owner)
      this.storeSignIn(signedIn)
      onStorageChange((key) => this.onStorageChange(key))
    } else if (signedIn === undefined) return
    else if (currentPath() === '/') this.clearSignIn()
    else if (currentPath().startsWith('/room/') && !browserStorage.get('username')) navigateTo('/')
  }

  /** Somebody is shown so from now on: where it is this browser's person, so is what it keeps, the admin token too. */
  applyUserUpdate(face: UserSummary): void {
    if (face.id !== this.user?.id) return
    const wasRootAdmin = this.isRootAdmin()
    this.user = { ...this.user, ...face }
    this.environment.browserStorage.set('username', face.username)
    if (this.isRootAdmin() === wasRootAdmin) return
    if (wasRootAdmin) this.environment.browserStorage.set('adminToken', null)
    this.scheduleRefresh(0)
  }

  token(): string | null {
    return this.environment.browserStorage.get('token')
  }

  /** Another one that came beside what was asked for. */
  replaceToken(token: string): void {
    this.environment.browserStorage.set('token', token)
    this.scheduleRefresh()
  }

  /** The token for calls that only a root admin may make. */
  adminToken(): string | null {
    return this.environment.browserStorage.get('adminToken')
  }

  /** Whether this person is the one who is signed in. */
  isSelf(userId: UserId): boolean {
    return this.user?.id === userId
  }

  /** Whether this browser is still that of whom the page was rendered for. A new name alone is still them. */
  hasSameUser(): boolean {
    const { id, username } = this.user ?? {}
    return this.environment.browserStorage.get('username') === username || Number(decodeClaims(this.token()).sub) === id
  }

  isGuest(): boolean {
    return this.user?.isGuest === true
  }

  /** The name of the person who is signed in; empty without one. */
  username(): string {
    return this.user?.username ?? ''
  }

  isRootAdmin(): boolean {
    return this.user?.role === 'rootadmin'
  }

  /** This browser's id, made once; null when it was cleared away under the page. */
  browserId(): string | null {
    const { browserStorage, uuid } = this.environment
    const kept = browserStorage.get('browserId')
    if (kept === null && this.hasMadeBrowserId) return null
    const id = kept ?? uuid()
    browserStorage.set('browserId', id)
    this.hasMadeBrowserId = true
    return id
  }

  /**
   * This tab's id, the same after a reload. It is out of the storage while the page lives, because a duplicated tab
   * starts with a copy of the storage, and two tabs with one id would throw each other out.
   */
  tabId(): string {
    const { tabStorage, uuid, onPageHide } = this.environment
    if (this.currentTabId) return this.currentTabId
    const id = tabStorage.get('tabId') ?? uuid()
    tabStorage.set('tabId', null)
    onPageHide(() => tabStorage.set('tabId', id))
    this.currentTabId = id
    return id
  }

  saveLastRoom(roomId: RoomId): void {
    this.environment.browserStorage.set('lastRoomId', String(roomId))
  }

  /** The room that was visited last, or the default one. */
  lastRoomId(): number {
    return Number(this.environment.browserStorage.get('lastRoomId')) || DEFAULT_ROOM_ID
  }

  /** What the hidden fields of plain forms tell the server, by their names. */
  formFields(): Record<string, string> {
    return {
      browserId: this.browserId() ?? '',
      lastLoginPlatform: this.environment.isMobile() ? 'mobile' : 'web',
      next: `/room/${this.lastRoomId()}`,
      token: this.token() ?? '',
    }
  }

  /** Fetches a fresh token; whoever asks meanwhile gets the same answer. */
  refresh(): Promise<RefreshOutcome> {
    this.pendingRefresh ??= this.fetchToken().finally(() => {
      this.pendingRefresh = null
    })
    return this.pendingRefresh
  }

  /** Ends the session everywhere and goes home. False when the server could not be reached: then nothing has changed. */
  async logOut(message?: string): Promise<boolean> {
    // Storage may have been cleared; the cookie ends nothing, but gives the token that does.
    if (!this.token()) await this.refresh()
    const response = await this.post('/api/users/logout').catch(() => null)
    const reached = response !== null && response.status < 500
    if (reached) this.end(message)
    return reached
  }

  /** Forgets who was signed in and goes home, where the message is shown. */
  end(message?: string): void {
    if (this.isOver) return
    this.clearSignIn()
    this.environment.tabStorage.set('endMessage', message ?? null)
    this.goHome(message)
  }

  /** Goes home and stays signed in: there, one press enters again. */
  returnHome(): void {
    if (!this.isOver) this.goHome()
  }

  /** Why the last session ended, once. */
  takeEndMessage(): string | null {
    const { tabStorage } = this.environment
    const message = tabStorage.get('endMessage')
    tabStorage.set('endMessage', null)
    return message
  }

  /** Calls `listener` when the session ends here, by whatever way. */
  onEnd(listener: (message?: string) => void): void {
    this.endListeners.push(listener)
  }

  /** Calls `listener` when nothing of whoever was signed in is to stay in this tab. */
  onClear(listener: () => void): void {
    this.clearListeners.push(listener)
  }

  private storeSignIn({ user, token, adminToken }: Omit<SignedIn, 'success'>): void {
    const { browserStorage } = this.environment
    this.user = user
    // First: by it other tabs see whether another name is another person.
    browserStorage.set('token', token)
    browserStorage.set('username', user.username)
    browserStorage.set('adminToken', adminToken ?? null)
    this.scheduleRefresh()
  }

  private clearSignIn(): void {
    for (const key of ['username', 'token', 'adminToken']) this.environment.browserStorage.set(key, null)
    this.clearTab()
  }

  /** What was typed here and where one has been is nothing for whoever signs in next. */
  private clearTab(): void {
    for (const listener of this.clearListeners) listener()
    this.environment.tabStorage.clear()
  }

  private goHome(message?: string): void {
    this.isOver = true
    this.cancelRefresh?.()
    for (const listener of this.endListeners) listener(message)
    this.environment.navigateTo('/')
  }

  /** Another tab has logged out or let somebody else in, or has a fresh token for us all. */
  private onStorageChange(key: string | null): void {
    if (!this.hasSameUser()) this.yieldSession()
    else if (key === 'token') this.scheduleRefresh()
  }

  /** Goes home: by now this browser is somebody else's, or nobody's. */
  private yieldSession(): void {
    this.clearTab()
    this.returnHome()
  }

  private scheduleRefresh(afterMs = this.nextRefreshMs()): void {
    this.cancelRefresh?.()
    this.cancelRefresh = this.environment.setTimer(afterMs, async () => {
      const outcome = await this.refresh()
      if (outcome === 'refused') this.end(clientMessages.SessionEnded)
      if (outcome === 'unreachable' && !this.isOver) this.scheduleRefresh(REFRESH_RETRY_MS)
    })
  }

  private nextRefreshMs(): number {
    const lives = [this.token(), this.adminToken()].filter((token) => token !== null).map(tokenLifetimeMs)
    return (REFRESH_LIFETIME_RATIO + REFRESH_JITTER_RATIO * this.environment.random()) * Math.min(...lives)
  }

  private async fetchToken(): Promise<RefreshOutcome> {
    try {
      const response = await this.post('/api/users/refresh-token')
      if (response.status === 429 || response.status >= 500) return 'unreachable'
      if (!response.ok) {
        const refusal = (await response.json().catch(() => null)) as RefusalBody | null // our own server's
        if (refusal?.code === 'Banned') this.end(refusal.message)
        return 'refused'
      }
      const signedIn = (await response.json()) as SignedIn // our own server validated it
      if (this.user && signedIn.user.id !== this.user.id) {
        this.yieldSession() // the cookie is somebody else's by now
        return 'refused'
      }
      if (!this.isOver) this.storeSignIn(signedIn)
      return 'refreshed'
    } catch {
      return 'unreachable'
    }
  }

  private post(path: string): Promise<Response> {
    const token = this.token()
    return this.environment.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: '{}',
      signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
    })
  }
}

/** How long a token lives in all, in milliseconds, by what it says itself: this machine's clock may be wrong. */
function tokenLifetimeMs(token: string): number {
  const { iat = 0, exp = 0 } = decodeClaims(token)
  const life = (exp - iat) * 1000
  return life > 0 ? life : DEFAULT_TOKEN_LIFETIME_MS
}

/** What a token says of itself; nothing where it cannot be read. */
function decodeClaims(token: string | null): { iat?: number; exp?: number; sub?: string } {
  try {
    return JSON.parse(atob(token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) // our server signed it
  } catch {
    return {}
  }
}

export const session = new Session(browserEnvironment)
