import type { CommandAnswer } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { LiveClient } from '../../core/live/live-client.ts'

type WatchListener = (shown: Pick<CommandAnswer<'watchProfile'>, 'canViewProfile' | 'isOnline'>) => void

/** Watches profiles while they are open, so that their events come to this tab. */
export class ProfileWatch {
  private readonly live: LiveClient
  /** Of the open profiles, by user: one can be open twice. */
  private readonly listeners = new Map<UserId, Set<WatchListener>>()

  constructor(live: LiveClient) {
    this.live = live
    // The server forgets with a connection what it watched.
    live.onConnected(() => this.listeners.forEach((_, userId) => void this.request(userId)))
  }

  /** Watches a profile until the returned function is called. The listener gets what holds when the watch begins. */
  watch(userId: UserId, listener: WatchListener): () => void {
    const listeners = this.listeners.get(userId) ?? new Set()
    this.listeners.set(userId, listeners.add(listener))
    void this.request(userId)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.listeners.delete(userId)
      if (this.live.isConnected()) void this.live.request('unwatchProfile', { userId })
    }
  }

  private async request(userId: UserId): Promise<void> {
    const answer = await this.live.request('watchProfile', { userId })
    if (typeof answer === 'string' || answer instanceof Refusal) return
    this.listeners.get(userId)?.forEach((listener) => void listener(answer))
  }
}
