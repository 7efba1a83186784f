import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import type { RoomPageProps } from '../../shared/rooms/page.ts'
import type { Cancel, Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import { batch } from '../signal.ts'

/** A join that the server could not attend to is tried again after this. */
const AGAIN_MS = 2_000

/** What the server said when it let us in. */
export interface Joined {
  /** What the room's state covers, once `missed` is applied or `loadRoomMessages` has come. */
  cursor: number
  /** Not bound by the chat limits. */
  exempt: boolean
  inRoomForMs: number
}

export interface RoomListener {
  /** The page of a room is shown now: another one's, or the same one's again. */
  opened(page: RoomPageProps): void
  /** The room's state is fetched anew: what is shown will be replaced. */
  anew(): void
  joined(joined: Joined): void
  refused(refusal: RefusalBody): void
}

/** Keeps the tab's line in the room whose page is shown, over every reconnection. */
export class RoomLine {
  private readonly environment: Environment
  private readonly live: Live
  private readonly listeners: Partial<RoomListener>[] = []
  private page: RoomPageProps | null = null
  private roomId: number | null = null
  /** The cursor of the page, for the first join after it was rendered. */
  private pageCursor: number | null = null
  /** Rises with every join, so that the answer to an older one is not heeded. */
  private turn = 0
  private cancelAgain: Cancel | null = null

  constructor(environment: Environment, live: Live) {
    this.environment = environment
    this.live = live
    live.onConnected((resumed) => {
      if (!resumed) this.pageCursor = null
      if (live.roomId !== this.roomId) this.join()
    })
  }

  /** Whoever comes late is told of the page that is shown. */
  listen(listener: Partial<RoomListener>): void {
    this.listeners.push(listener)
    if (this.page) listener.opened?.(this.page)
  }

  /** Shows a page just rendered, and enters its room from the page's cursor. */
  enter(page: RoomPageProps): void {
    this.page = page
    batch(() => this.tell((listener) => listener.opened?.(page)))
    this.live.start(page.cursor, page.serverTime)
    if (page.room.id === this.roomId) return
    this.roomId = page.room.id
    this.pageCursor = page.cursor
    if (this.live.isConnected()) this.join()
  }

  /** Enters once more, with the state fetched anew: the server does not know us in the room. */
  enterAgain(): void {
    this.pageCursor = null
    this.join()
  }

  private async join(): Promise<void> {
    const { live, roomId } = this
    if (roomId === null) return
    this.cancelAgain?.()
    const turn = ++this.turn
    const cursor = this.pageCursor
    live.roomId = null
    if (cursor === null) this.tell((listener) => listener.anew?.())
    const answer = await live.request('joinRoom', { roomId, ...(cursor !== null && { cursor }) })
    if (turn !== this.turn || answer === 'lost') return // a newer join has its turn, or the next connection will join
    if (answer === 'late') return this.join()
    if (answer instanceof Refusal) return this.refused(answer.body)

    live.roomId = roomId
    this.pageCursor = null
    batch(() => {
      for (const [, seq, name, payload] of answer.missed ?? []) live.deliver(name, payload, seq)
      const { exempt, inRoomForMs } = answer
      this.tell((listener) => listener.joined?.({ cursor: answer.cursor, exempt, inRoomForMs }))
    })
  }

  private refused(refusal: RefusalBody): void {
    const { code, waitMs = AGAIN_MS } = refusal
    if (code === 'Maintenance') return // the line is told when that is over, and enters again
    if (code === 'Busy' || code === 'RateLimited' || code === 'ShuttingDown') {
      this.cancelAgain = this.environment.after(waitMs, () => {
        if (this.live.isConnected()) this.join()
      })
    } else this.tell((listener) => listener.refused?.(refusal))
  }

  private tell(each: (listener: Partial<RoomListener>) => void): void {
    for (const listener of this.listeners) each(listener)
  }
}
