import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import type { Cancel, Environment } from '../../live/environment.ts'
import type { LiveClient } from '../../live/live-client.ts'
import { listenForBlocks } from '../../relations/block-listener.ts'
import type { RoomSubscription } from '../../rooms/room-subscription.ts'
import { signal } from '../../signal.ts'

/** Whoever goes on writing says so this often. */
const SEND_INTERVAL_MS = 3_000
/** Whoever was not heard of for this long writes no more. */
const TYPING_TIMEOUT_MS = 5_000
/** More people than this are not named. */
const MAX_NAMED = 3

interface Typist {
  id: number
  username: string
}

/** Who is writing in the room that is shown, and telling the others that one does oneself. */
export class TypingIndicator {
  /** Whoever does, this tab's own person too. */
  readonly typists = signal<readonly Typist[]>([])

  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly activeTypists = new Map<number, Typist & { until: number }>()
  private lastSentAt = Number.NEGATIVE_INFINITY
  private cancelExpiry: Cancel | null = null

  constructor(environment: Environment, live: LiveClient, roomLine: RoomSubscription) {
    this.environment = environment
    this.live = live
    live.on('typing', ({ roomId, users }) => {
      if (roomId !== live.roomId) return
      const until = environment.now() + TYPING_TIMEOUT_MS
      for (const { id, username } of users) this.activeTypists.set(id, { id, username, until })
      this.publishTypists()
    })
    live.on('message', ({ senderId }) => this.removeTypists(({ id }) => id === senderId))
    live.on('user-left', ({ username }) => this.removeTypists((typist) => typist.username === username))
    live.on('removeBannedMessages', ({ userId }) => this.removeTypists(({ id }) => id === userId))
    listenForBlocks(live, { onBlocked: (userId) => this.removeTypists(({ id }) => id === userId) })
    live.on('userProfileUpdated', ({ user: { id, username } }) => {
      const typist = this.activeTypists.get(id)
      if (!typist) return
      this.activeTypists.set(id, { ...typist, username })
      this.publishTypists()
    })
    roomLine.addListener({ onPageOpened: () => this.removeTypists(() => true) })
  }

  /** Called with every key: the room hears of it now and then. */
  onInput(): void {
    const { roomId } = this.live
    const now = this.environment.now()
    if (roomId === null || Math.abs(now - this.lastSentAt) < SEND_INTERVAL_MS) return
    this.lastSentAt = now
    this.live.sendSignal('typing', { roomId })
  }

  /** What was written is sent: the next words are told at once. */
  onSent(): void {
    this.lastSentAt = Number.NEGATIVE_INFINITY
  }

  private removeTypists(isGone: (typist: Typist & { until: number }) => boolean): void {
    const gone = [...this.activeTypists.values()].filter(isGone)
    for (const { id } of gone) this.activeTypists.delete(id)
    if (gone.length) this.publishTypists()
  }

  private publishTypists(): void {
    this.cancelExpiry?.()
    const typists = [...this.activeTypists.values()]
    this.typists.value = typists
    const next = Math.min(...typists.map(({ until }) => until))
    const now = this.environment.now()
    this.cancelExpiry = typists.length
      ? this.environment.setTimer(next - now, () => this.removeTypists(({ until }) => until <= next))
      : null
  }
}

/** 'Ayşe yazıyor', 'Ayşe, Mert ve Can yazıyor'; of more, only that they do. null when nobody but the viewer does. */
export function typingText(typists: readonly Typist[], viewerId: number): string | null {
  const names = typists.filter(({ id }) => id !== viewerId).map(({ username }) => isolateBidi(username))
  const last = names.at(-1)
  if (last === undefined) return null
  if (names.length > MAX_NAMED) return 'Birkaç kişi yazıyor'
  return `${names.length > 1 ? `${names.slice(0, -1).join(', ')} ve ` : ''}${last} yazıyor`
}
