import type { Refreshed } from '../../accounts/session.ts'
import type { LiveSession } from '../live.ts'

/** A session whose server answers what the test says. */
export class FakeSession implements LiveSession {
  readonly ended: (string | undefined)[] = []
  left = 0
  refreshes = 0
  refreshOutcome: Refreshed | Promise<Refreshed> = 'refreshed'
  private readonly listeners: ((message?: string) => void)[] = []

  token(): string {
    return `token ${this.refreshes}`
  }
  browserId(): string {
    return 'browser'
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
  leave(): void {
    this.left++
    for (const listener of this.listeners) listener()
  }
  onEnd(listener: (message?: string) => void): void {
    this.listeners.push(listener)
  }
}
