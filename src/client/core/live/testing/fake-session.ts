import type { Role, UserSummary } from '../../../../shared/accounts/protocol.ts'
import type { LiveSession } from '../../session/live-session.ts'
import type { RefreshOutcome } from '../../session/session.ts'
import { ADA } from './fixture-users.ts'

/** A session; the test sets its server's answers. */
export class FakeSession implements LiveSession {
  readonly endMessages: (string | undefined)[] = []
  returnsHome = 0
  entersAgain = 0
  /** Whether the server is reachable for a log-out. */
  canLogOut = true
  readonly logOutMessages: (string | undefined)[] = []
  storedBrowserId: string | null = 'browser'
  refreshCount = 0
  refreshOutcome: RefreshOutcome | Promise<RefreshOutcome> = 'refreshed'
  readonly tokenListeners: (() => void)[] = []
  private readonly endListeners: ((message?: string) => void)[] = []
  role: Role = 'guest'

  token(): string {
    return `token ${this.refreshCount}`
  }
  browserId(): string | null {
    return this.storedBrowserId
  }
  tabId(): string {
    return 'tab'
  }
  onToken(listener: () => void): void {
    this.tokenListeners.push(listener)
  }
  async refresh(): Promise<RefreshOutcome> {
    this.refreshCount++
    return this.refreshOutcome
  }
  end(message?: string): void {
    this.endMessages.push(message)
    for (const listener of this.endListeners) listener(message)
  }
  async logOut(message?: string): Promise<boolean> {
    if (!this.canLogOut) return false
    this.logOutMessages.push(message)
    this.end(message)
    return true
  }
  isRootAdmin(): boolean {
    return this.role === 'rootadmin'
  }
  isSelf(userId: number): boolean {
    return userId === ADA.id
  }
  applyUserUpdate({ role }: UserSummary): void {
    this.role = role
  }
  returnHome(): void {
    this.returnsHome++
    for (const listener of this.endListeners) listener()
  }
  enterAgain(): void {
    this.entersAgain++
  }
  onEnd(listener: (message?: string) => void): void {
    this.endListeners.push(listener)
  }
}
