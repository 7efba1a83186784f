import type { OwnRoom } from '../../shared/room-orders/own-room.ts'
import type { OwnRoomTab } from '../../shared/room-orders/texts.ts'
import type { LiveClient } from '../live/live-client.ts'
import { signal } from '../signal.ts'

export type OwnRoomLists = Readonly<Record<OwnRoomTab, readonly OwnRoom[]>>

/** The rooms of the viewer, by tab, current while something watches them. */
export class OwnRooms {
  /** null before the first answer. */
  readonly lists = signal<OwnRoomLists | null>(null)
  readonly hasFailed = signal(false)
  private readonly fetchLists: () => Promise<OwnRoomLists | null>
  private watchers = 0
  /** Rises with every request, so that the answer to an older one is ignored. */
  private generation = 0

  /** @param fetchLists resolves with null when a request failed */
  constructor(live: Pick<LiveClient, 'on' | 'onConnected'>, fetchLists: () => Promise<OwnRoomLists | null>) {
    this.fetchLists = fetchLists
    live.on('ownRoomsChanged', () => this.refresh())
    live.onConnected((resumed) => {
      if (!resumed) this.refresh()
    })
  }

  /** Keeps the lists current until the returned function is called. */
  watch(): () => void {
    this.watchers++
    if (this.watchers === 1) void this.load()
    return () => {
      this.watchers--
    }
  }

  async load(): Promise<void> {
    const generation = ++this.generation
    this.hasFailed.value = false
    const lists = await this.fetchLists()
    if (generation !== this.generation) return
    if (lists) this.lists.value = lists
    this.hasFailed.value = lists === null
  }

  private refresh(): void {
    if (this.watchers > 0) void this.load()
  }
}
