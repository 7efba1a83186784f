import type { CommandAnswer } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { Cancel, Environment } from '../../core/platform/environment.ts'
import { batch } from '../../core/signals/signal.ts'

/** Delay before a join that the server could not process is sent again. */
const JOIN_RETRY_MS = 2_000

/** The server's answer to a join. `cursor`: what the room's state covers, once `missed` is applied or `loadRoomMessages` has come. */
export type JoinResult = Pick<CommandAnswer<'joinRoom'>, 'cursor' | 'exempt' | 'inRoomForMs' | 'room'>

interface RoomListener {
  /** The page of a room is shown: of another room, or of the same one again. */
  onPageOpened(page: RoomPageProps): void
  /** The room's state is fetched again and will replace what is shown. */
  onResync(): void
  onJoined(joined: JoinResult): void
  onJoinRefused(refusal: RefusalBody): void
}

/** Keeps the tab's connection in the room whose page is shown, over every reconnection. */
export class RoomSubscription {
  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly listeners: Partial<RoomListener>[] = []
  private page: RoomPageProps | null = null
  private roomId: RoomId | null = null
  /** The cursor of the page, for the first join after it was rendered. */
  private pageCursor: number | null = null
  /** Rises with every join, so that the answer to an older one is ignored. */
  private generation = 0
  private cancelRetry: Cancel | null = null

  constructor(environment: Environment, live: LiveClient) {
    this.environment = environment
    this.live = live
    live.onConnected((resumed) => {
      if (!resumed) this.pageCursor = null
      if (live.roomId !== this.roomId) this.join()
    })
  }

  /** Adds a listener and calls it for the page that is already shown. */
  addListener(listener: Partial<RoomListener>): void {
    this.listeners.push(listener)
    if (this.page) listener.onPageOpened?.(this.page)
  }

  /** Shows a newly rendered page, and joins its room from the page's cursor. */
  openPage(page: RoomPageProps): void {
    this.page = page
    // The same room's page does not join again, so no snapshot covers events since its rendering.
    if (page.room.id === this.roomId) this.live.replayBuffer.markIncomplete()
    else this.live.replayBuffer.restart()
    batch(() => this.notify((listener) => listener.onPageOpened?.(page)))
    this.live.start(page.cursor, page.serverTime)
    if (page.room.id === this.roomId) return
    this.roomId = page.room.id
    this.pageCursor = page.cursor
    if (this.live.isConnected()) this.join()
  }

  /** Joins again with the whole state, because the server does not have this tab in the room. */
  rejoin(): void {
    this.pageCursor = null
    this.join()
  }

  private async join(): Promise<void> {
    const { live, roomId } = this
    if (roomId === null) return
    this.cancelRetry?.()
    const generation = ++this.generation
    const cursor = this.pageCursor
    live.roomId = null
    if (cursor === null) this.notify((listener) => listener.onResync?.())
    const answer = await live.request('joinRoom', { roomId, ...(cursor !== null && { cursor }) })
    if (generation !== this.generation || answer === 'disconnected') return // a newer join replaced it, or the next connection will join
    if (answer === 'timedOut') return this.join()
    if (answer instanceof Refusal) return this.handleRefusal(answer.body)

    live.roomId = roomId
    this.pageCursor = null
    batch(() => {
      for (const [, seq, name, payload] of answer.missed ?? []) live.deliver(name, payload, seq)
      this.notify((listener) => listener.onJoined?.(answer))
    })
  }

  private handleRefusal(refusal: RefusalBody): void {
    const { code, waitMs = JOIN_RETRY_MS } = refusal
    if (code === 'Maintenance') return // the connection resumes when it is over, and joins again
    if (code === 'Busy' || code === 'RateLimited' || code === 'ShuttingDown') {
      this.cancelRetry = this.environment.setTimer(waitMs, () => {
        if (this.live.isConnected()) this.join()
      })
    } else this.notify((listener) => listener.onJoinRefused?.(refusal))
  }

  private notify(each: (listener: Partial<RoomListener>) => void): void {
    for (const listener of this.listeners) each(listener)
  }
}
