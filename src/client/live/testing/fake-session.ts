import type { Role, UserSummary } from '../../../shared/accounts/protocol.ts'
import type { Refreshed } from '../../accounts/session.ts'
import type { LiveSession } from '../live.ts'
import { ada } from './people.ts'

/** A session whose server answers what the test says. */
export class FakeSession implements LiveSession {
  readonly ended: (string | undefined)[] = []
  left = 0
  /** Whether the server is there to log out. */
  canLogOut = true
  readonly loggedOut: (string | undefined)[] = []
  keptBrowserId: string | null = 'browser'
  refreshes = 0
  refreshOutcome: Refreshed | Promise<Refreshed> = 'refreshed'
  private readonly listeners: ((message?: string) => void)[] = []
  role: Role = 'guest'

  token(): string {
    return `token ${this.refreshes}`
  }
  browserId(): string | null {
    return this.keptBrowserId
  }
  tabId(): string {
    return 'tab'
  }
  async refresh(): Promise<Refreshed> {
    this.refreshes++
    return this.refreshOutcome
  }
  end(message?: string): void {
    this.ended.push(message)
    for (const listener of this.listeners) listener(message)
  }
  async logOut(message?: string): Promise<boolean> {
    if (!this.canLogOut) return false
    this.loggedOut.push(message)
    this.end(message)
    return true
  }
  isRootAdmin(): boolean {
    return this.role === 'rootadmin'
  }
  isOf(userId: number): boolean {
    return userId === ada.id
  }
  follow({ role }: UserSummary): void {
    this.role = role
  }
  leave(): void {
    this.left++
    for (const listener of this.listeners) listener()
  }
  onEnd(listener: (message?: string) => void): void {
    this.listeners.push(listener)
  }
}
