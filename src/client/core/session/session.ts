import type { Person, SignedIn, UserSummary } from '../../../shared/accounts/protocol.ts'
import { SESSION_ENDED_TEXT } from '../../../shared/accounts/session-ended-text.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { DEFAULT_ROOM_ID, HTTP_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import { browserEnvironment, type Cancel, type Environment } from '../platform/environment.ts'

/** A token is refreshed after this share of its lifetime plus a jitter, so that one tab refreshes for all. */
const REFRESH_LIFETIME_RATIO = 0.7
const REFRESH_JITTER_RATIO = 0.1
/** The assumed lifetime of a token whose claims cannot be read. */
const DEFAULT_TOKEN_LIFETIME_MS = 10 * 60_000
/** A refresh without an answer is tried again after this. */
const REFRESH_RETRY_MS = 30_000

export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

/** The session of this browser. The cookie's session is authoritative; browser storage follows it. */
export class Session {
  private readonly environment: Environment
  private readonly endListeners: ((message?: string) => void)[] = []
  private readonly clearListeners: (() => void)[] = []
  private readonly adminTokenListeners: (() => void)[] = []
  private readonly tokenListeners: (() => void)[] = []
  /** The user for whom this page was rendered, with later updates; only this class sets it. */
  user: Person | null = null
  private isOver = false
  private currentTabId: string | null = null
  private hasBrowserId = false
  private pendingRefresh: Promise<RefreshOutcome> | null = null
  private cancelRefresh: Cancel | null = null

  constructor(environment: Environment) {
    this.environment = environment
  }

  /**
   * Updates storage from the loaded page; the pages where strangers sign in clear it. `undefined`: the server could not
   * determine the session; nothing changes.
   */
  start(signedIn: Omit<SignedIn, 'success'> | null | undefined): void {
    const { browserStorage, tabStorage, currentPath, renderedTheme, onStorageChange } = this.environment
    browserStorage.set('theme', renderedTheme())
    if (signedIn) {
      const owner = String(signedIn.user.id)
      if ((tabStorage.get('owner') ?? owner) !== owner) this.clearTab()
      tabStorage.set('owner', owner)
      this.storeSignIn(signedIn)
      onStorageChange((key) => this.onStorageChange(key))
    } else if (signedIn === null && /^\/(?:room\/|$)/.test(currentPath())) this.clearSignIn()
  }

  /** Applies an update of this browser's own user to storage; one who is no longer a root admin loses the admin token. */
  applyUserUpdate(summary: UserSummary): void {
    if (summary.id !== this.user?.id) return
    const wasRootAdmin = this.isRootAdmin()
    this.user = { ...this.user, ...summary }
    this.environment.browserStorage.set('username', summary.username)
    if (this.isRootAdmin() === wasRootAdmin) return
    if (wasRootAdmin) this.environment.browserStorage.set('adminToken', null)
    this.scheduleRefresh(0)
  }

  token(): string | null {
    return this.environment.browserStorage.get('token')
  }

  /** Stores a renewed token from the answer of another request. */
  replaceToken(token: string): void {
    this.storeToken(token)
    this.scheduleRefresh()
  }

  /** Calls `listener` when this browser gets another token, in this tab or another. */
  onToken(listener: () => void): void {
    this.tokenListeners.push(listener)
  }

  /** The token of root admins' routes and commands. It may have expired: only the password brings a new one. */
  adminToken(): string | null {
    return this.environment.browserStorage.get('adminToken')
  }

  /** Stores the admin token of a confirmed password; null removes one that was refused. */
  setAdminToken(adminToken: string | null): void {
    this.environment.browserStorage.set('adminToken', adminToken)
    if (adminToken !== null) this.notifyAdminToken()
  }

  /** Calls `listener` when a confirmed password brings an admin token, in this tab or another. */
  onAdminToken(listener: () => void): void {
    this.adminTokenListeners.push(listener)
  }

  /** The id of the signed-in user; null without a session. */
  userId(): UserId | null {
    return this.user?.id ?? null
  }

  /** Whether this user is signed in here. */
  isSelf(userId: UserId): boolean {
    return this.user?.id === userId
  }

  /** Whether storage still belongs to the user of this page; a renamed user is the same one. */
  hasSameUser(): boolean {
    const { id, username } = this.user ?? {}
    return this.environment.browserStorage.get('username') === username || Number(decodeClaims(this.token()).sub) === id
  }

  isGuest(): boolean {
    return this.user?.isGuest === true
  }

  /** The signed-in user's name; empty without a session. */
  username(): string {
    return this.user?.username ?? ''
  }

  isRootAdmin(): boolean {
    return this.user?.role === 'rootadmin'
  }

  /** This browser's id, created once; null when it was deleted from storage while the page is open. */
  browserId(): string | null {
    const { browserStorage, uuid } = this.environment
    const stored = browserStorage.get('browserId')
    if (stored === null && this.hasBrowserId) return null
    const id = stored ?? uuid()
    browserStorage.set('browserId', id)
    this.hasBrowserId = true
    return id
  }

  /**
   * This tab's id, the same after a reload. It is not in the storage while the page is open: a duplicated tab starts
   * with a copy of the storage, and two tabs with one id would disconnect each other.
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

  /** The values of plain forms' hidden fields, by field name. */
  formFields(): Record<string, string> {
    return {
      browserId: this.browserId() ?? '',
      lastLoginPlatform: this.environment.isMobile() ? 'mobile' : 'web',
      next: `/room/${this.lastRoomId()}`,
      token: this.token() ?? '',
    }
  }

  /** Fetches a new token; concurrent calls share one request. */
  refresh(): Promise<RefreshOutcome> {
    this.pendingRefresh ??= this.fetchToken().finally(() => {
      this.pendingRefresh = null
    })
    return this.pendingRefresh
  }

  /** Ends the session everywhere and goes to the home page. False, without any change: the server was unreachable. */
  async logOut(message?: string): Promise<boolean> {
    // Storage may have been cleared: the cookie alone cannot log out, but it gets a token that can.
    if (!this.token()) await this.refresh()
    let response = await this.post('/api/users/logout').catch(() => null)
    // A token that expired long ago does not end the session; the cookie may still renew it.
    if (response?.status === 401 && (await this.refresh()) === 'refreshed')
      response = await this.post('/api/users/logout').catch(() => null)
    const reached = response !== null && response.status < 500
    if (reached) this.end(message)
    return reached
  }

  /** Clears the sign-in and goes to the home page, which shows the message. */
  end(message?: string): void {
    if (this.isOver) return
    this.clearSignIn()
    this.environment.tabStorage.set('endMessage', message ?? null)
    this.goHome(message)
  }

  /** Goes to the home page and stays signed in. */
  returnHome(): void {
    if (!this.isOver) this.goHome()
  }

  /** This tab is about to end the user's older connection, whose tab may clear the sign-in of this browser. */
  takeOver(): void {
    this.environment.tabStorage.set('hasTakenOver', 'true')
  }

  /** Opens the present page again. */
  enterAgain(): void {
    if (this.isOver) return
    this.isOver = true
    this.cancelRefresh?.()
    this.environment.navigateTo(this.environment.currentPath())
  }

  /** Reads and deletes the message of the last session's end. */
  takeEndMessage(): string | null {
    const { tabStorage } = this.environment
    const message = tabStorage.get('endMessage')
    tabStorage.set('endMessage', null)
    return message
  }

  /** Calls `listener` when the session ends in this tab. */
  onEnd(listener: (message?: string) => void): void {
    this.endListeners.push(listener)
  }

  /** Calls `listener` when the user's data in this tab must be deleted. */
  onClear(listener: () => void): void {
    this.clearListeners.push(listener)
  }

  private storeSignIn({ user, token, adminToken }: Omit<SignedIn, 'success'>): void {
    const { browserStorage } = this.environment
    this.user = user
    // Before the name: other tabs compare the token's user id when the name changes.
    this.storeToken(token)
    browserStorage.set('username', user.username)
    browserStorage.set('adminToken', adminToken ?? this.keptAdminToken())
    this.scheduleRefresh()
  }

  /** The stored admin token if it is this user's: pages and refreshes carry none. */
  private keptAdminToken(): string | null {
    const adminToken = this.adminToken()
    return this.isRootAdmin() && Number(decodeClaims(adminToken).sub) === this.user?.id ? adminToken : null
  }

  private notifyAdminToken(): void {
    for (const listener of this.adminTokenListeners) listener()
  }

  /** A late answer does not restore a session key that a refresh has replaced. */
  private storeToken(token: string): void {
    const [stored, brought] = [decodeClaims(this.token()), decodeClaims(token)]
    if (stored.sid !== undefined && stored.sid === brought.sid && (stored.key ?? 0) > (brought.key ?? 0)) return
    this.environment.browserStorage.set('token', token)
    this.notifyToken()
  }

  private notifyToken(): void {
    for (const listener of this.tokenListeners) listener()
  }

  private clearSignIn(): void {
    for (const key of ['username', 'token', 'adminToken']) this.environment.browserStorage.set(key, null)
    this.clearTab()
  }

  /** Deletes drafts, unsent messages and visited rooms, which the next user must not see. */
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

  /** Another tab has logged out, signed another user in, or refreshed the token. */
  private onStorageChange(key: string | null): void {
    if (!this.hasSameUser()) void this.onOtherUser()
    else if (key === 'token') {
      this.scheduleRefresh()
      this.notifyToken()
    } else if (key === 'adminToken' && this.adminToken() !== null) this.notifyAdminToken()
  }

  /** Yields, unless an older tab whose session continues here has cleared the storage: the cookie is still valid then. */
  private async onOtherUser(): Promise<void> {
    const { browserStorage, tabStorage } = this.environment
    const isCleared = browserStorage.get('username') === null && tabStorage.get('hasTakenOver') !== null
    if (isCleared && (await this.refresh()) === 'refreshed') return
    // It may be leaving for its own page meanwhile.
    if (!isCleared || !this.isOver) this.yieldSession()
  }

  /** Leaves the session to the user who is now signed in, if any. */
  private yieldSession(): void {
    this.clearTab()
    this.returnHome()
  }

  private scheduleRefresh(afterMs = this.nextRefreshMs()): void {
    this.cancelRefresh?.()
    this.cancelRefresh = this.environment.setTimer(afterMs, async () => {
      const outcome = await this.refresh()
      if (outcome === 'refused') this.end(SESSION_ENDED_TEXT)
      if (outcome === 'unreachable' && !this.isOver) this.scheduleRefresh(REFRESH_RETRY_MS)
    })
  }

  private nextRefreshMs(): number {
    const lifetimeMs = tokenLifetimeMs(this.token() ?? '')
    return (REFRESH_LIFETIME_RATIO + REFRESH_JITTER_RATIO * this.environment.random()) * lifetimeMs
  }

  private async fetchToken(): Promise<RefreshOutcome> {
    const sentToken = this.token()
    try {
      const response = await this.post('/api/users/refresh-token')
      if (response.status === 429 || response.status >= 500) return 'unreachable'
      if (!response.ok) {
        const refusal = (await response.json().catch(() => null)) as RefusalBody | null // our own server's
        // Meanwhile a sign-up or another tab has stored a newer token.
        if (this.token() !== sentToken && this.token() !== null) return 'refreshed'
        const isExplained = refusal?.code === 'SessionEnded' && refusal.message !== SESSION_ENDED_TEXT
        if (refusal?.code === 'Banned' || isExplained) this.end(refusal.message)
        return 'refused'
      }
      const signedIn = (await response.json()) as SignedIn // our own server validated it
      if (this.user && signedIn.user.id !== this.user.id) {
        this.yieldSession() // the cookie now belongs to another user
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

/** A token's lifetime from its own claims, without this machine's clock, which may be wrong. */
function tokenLifetimeMs(token: string): number {
  const { iat = 0, exp = 0 } = decodeClaims(token)
  const lifetimeMs = (exp - iat) * 1000
  return lifetimeMs > 0 ? lifetimeMs : DEFAULT_TOKEN_LIFETIME_MS
}

interface TokenClaims {
  iat?: number
  exp?: number
  sub?: string
  sid?: number
  key?: number
}

/** A token's claims; none if it cannot be read. */
function decodeClaims(token: string | null): TokenClaims {
  try {
    return JSON.parse(atob(token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) // our server signed it
  } catch {
    return {}
  }
}

export const session = new Session(browserEnvironment)
