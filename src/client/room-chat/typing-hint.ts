import { isolateBidi } from '../../shared/text/apart.ts'
import type { Cancel, Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import type { RoomLine } from '../rooms/room-line.ts'
import { signal } from '../signal.ts'

/** Whoever goes on writing says so this often. */
const TELL_MS = 3_000
/** Whoever was not heard of for this long writes no more. */
const HEARD_MS = 5_000
/** More people than this are not named. */
const MOST_NAMED = 3

interface Typist {
  id: number
  username: string
}

/** Who is writing in the room that is shown, and telling the others that one does oneself. */
export class TypingHint {
  /** Whoever does, this tab's own person too. */
  readonly typists = signal<readonly Typist[]>([])

  private readonly environment: Environment
  private readonly live: Live
  private readonly heard = new Map<number, Typist & { until: number }>()
  private toldAt = Number.NEGATIVE_INFINITY
  private cancel: Cancel | null = null

  constructor(environment: Environment, live: Live, roomLine: RoomLine) {
    this.environment = environment
    this.live = live
    live.on('typing', ({ roomId, users }) => {
      if (roomId !== live.roomId) return
      const until = environment.now() + HEARD_MS
      for (const { id, username } of users) this.heard.set(id, { id, username, until })
      this.show()
    })
    live.on('message', ({ senderId }) => this.drop(({ id }) => id === senderId))
    live.on('user-left', ({ username }) => this.drop((typist) => typist.username === username))
    live.on('removeBannedMessages', ({ userId }) => this.drop(({ id }) => id === userId))
    followBlocks(live, { blocked: (userId) => this.drop(({ id }) => id === userId) })
    live.on('userProfileUpdated', ({ user: { id, username } }) => {
      const typist = this.heard.get(id)
      if (!typist) return
      this.heard.set(id, { ...typist, username })
      this.show()
    })
    roomLine.listen({ opened: () => this.drop(() => true) })
  }

  /** Called with every key: the room hears of it now and then. */
  tell(): void {
    const { roomId } = this.live
    const now = this.environment.now()
    if (roomId === null || Math.abs(now - this.toldAt) < TELL_MS) return
    this.toldAt = now
    this.live.tell('typing', { roomId })
  }

  /** What was written is sent: the next words are told at once. */
  sent(): void {
    this.toldAt = Number.NEGATIVE_INFINITY
  }

  private drop(isGone: (typist: Typist & { until: number }) => boolean): void {
    const gone = [...this.heard.values()].filter(isGone)
    for (const { id } of gone) this.heard.delete(id)
    if (gone.length) this.show()
  }

  private show(): void {
    this.cancel?.()
    const typists = [...this.heard.values()]
    this.typists.value = typists
    const next = Math.min(...typists.map(({ until }) => until))
    const now = this.environment.now()
    this.cancel = typists.length
      ? this.environment.after(next - now, () => this.drop(({ until }) => until <= next))
      : null
  }
}

/** 'Ayşe yazıyor', 'Ayşe, Mert ve Can yazıyor'; of more, only that they do. null when nobody but the viewer does. */
export function typingWords(typists: readonly Typist[], viewerId: number): string | null {
  const names = typists.filter(({ id }) => id !== viewerId).map(({ username }) => isolateBidi(username))
  const last = names.at(-1)
  if (last === undefined) return null
  if (names.length > MOST_NAMED) return 'Birkaç kişi yazıyor'
  return `${names.length > 1 ? `${names.slice(0, -1).join(', ')} ve ` : ''}${last} yazıyor`
}
