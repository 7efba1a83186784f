import { LRUCache } from 'lru-cache'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { contentTag } from '../../kernel/http/conditional-requests.ts'
import { Semaphore } from '../../kernel/limits/semaphore.ts'
import { roomCardSvg } from './card-svg.ts'

/** A picture is this old at most when the number of people has changed since. */
export const CARD_MAX_AGE_MS = 60_000
const MAX_KEPT_BYTES = 8 * 1024 * 1024
/** Drawings leave one of the two picture processes to uploads. */
const MAX_CONCURRENT = 1
const MAX_QUEUED = 8
const FAILURE_BYTES = 100

export interface CardContent {
  roomId: RoomId
  name: string
  /** As everybody sees it: without ghost-banned users. */
  people: number
}

export interface RoomCard {
  picture: Buffer
  etag: string
}

/** A card as it was drawn; null when it could not be. */
interface KeptCard {
  name: string
  people: number
  drawnAt: number
  card: RoomCard | null
}

/** Share pictures of rooms, drawn when one is asked for, and kept. */
export class RoomCards {
  private readonly pictures: Pick<AppContext['pictures'], 'draw'>
  private readonly now: () => number
  private readonly kept = new LRUCache<RoomId, KeptCard>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ card }) => card?.picture.length ?? FAILURE_BYTES,
  })
  private readonly underWay = new Map<RoomId, Promise<RoomCard | null>>()
  private readonly semaphore = new Semaphore(MAX_CONCURRENT, MAX_QUEUED)

  /** @param now milliseconds of a clock that is never set */
  constructor(pictures: Pick<AppContext['pictures'], 'draw'>, now: () => number) {
    this.pictures = pictures
    this.now = now
  }

  /**
   * The card of a room, drawn where no kept one will do and `mayDraw` allows it. Else the last one of the same name, or null.
   */
  get(content: CardContent, mayDraw: () => boolean): Promise<RoomCard | null> {
    const { roomId, name, people } = content
    const stored = this.kept.get(roomId)
    const last = stored?.name === name ? stored : undefined
    if (last && (last.people === people || this.now() - last.drawnAt < CARD_MAX_AGE_MS))
      return Promise.resolve(last.card)
    const underWay = this.underWay.get(roomId)
    if (underWay) return underWay
    if (!mayDraw()) return Promise.resolve(last?.card ?? null)
    const drawing = this.draw(content, last?.card ?? null).finally(() => this.underWay.delete(roomId))
    this.underWay.set(roomId, drawing)
    return drawing
  }

  /** A failure is kept as well, with the card before it, so that it is not tried again at once. */
  private async draw({ roomId, name, people }: CardContent, last: RoomCard | null): Promise<RoomCard | null> {
    const drawn = await this.semaphore.run(() => this.pictures.draw(roomCardSvg({ name, people })))
    if (drawn instanceof Refusal) return last
    const card = drawn === null ? last : { picture: drawn, etag: `"${contentTag(drawn)}"` }
    this.kept.set(roomId, { name, people, drawnAt: this.now(), card })
    return card
  }
}
