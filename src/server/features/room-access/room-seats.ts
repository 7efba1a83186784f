import * as v from 'valibot'
import { Count, Id } from '../../../shared/protocol/define.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'
import { roomById } from '../../model/rooms/queries.ts'

/** A room with at most this many free seats is decided by the primary; more cannot be taken before regions learn of each other. */
const NEAR_CAPACITY_SEATS = 1_000
/** A granted seat is kept for this long until the presence of its user arrives. */
const RESERVATION_MS = 5_000
/** An unanswered question is refused as a cut region. */
const ASK_TIMEOUT_MS = 2_000
/** After a refusal of the primary this region refuses by itself for this long. */
const FULL_MEMORY_MS = 250

const ASK_TOPIC = 'seats.ask'
const ANSWER_TOPIC = 'seats.answer'
const Ask = v.object({ ask: Count, roomId: Id, userId: Id })
const Answer = v.object({ ask: Count, isGranted: v.boolean() })

/**
 * The seats of rooms near their capacity. One authority, the primary, grants them one by one: it counts the users in all
 * regions and the seats that it granted and whose users it does not see yet. A user counts once, with any number of connections.
 */
export class RoomSeats {
  private readonly appContext: Pick<AppContext, 'presence' | 'reader' | 'replicationStatus'>
  private readonly bus: PeerBus
  /** On the primary, by room: users with a granted seat, and when it ends. */
  private readonly reservations = new Map<RoomId, Map<UserId, number>>()
  /** On a replica, by room: until when the primary's last refusal holds. */
  private readonly fullUntil = new Map<RoomId, number>()
  private readonly asks = new Map<number, { from: string; settle: (isGranted: boolean | null) => void }>()
  private lastAsk = 0

  constructor(appContext: Pick<AppContext, 'presence' | 'reader' | 'replicationStatus'>, bus: PeerBus) {
    this.appContext = appContext
    this.bus = bus
    bus.on(ASK_TOPIC, (from, payload) => this.onAsk(from, payload))
    bus.on(ANSWER_TOPIC, (from, payload) => this.onAnswer(from, payload))
  }

  /** Whether the room has no seat for the user, as this region knows; those in it keep theirs. Costs no question. */
  isFull(roomId: RoomId, userId: UserId, capacity: number): boolean {
    if (this.appContext.presence.isMember(roomId, userId)) return false
    if ((this.fullUntil.get(roomId) ?? 0) > performance.now()) return true
    return this.appContext.presence.roomCount(roomId, null) + this.countReserved(roomId, userId) >= capacity
  }

  /** Whether the user may enter without a question to the primary. */
  isDecidedHere(roomId: RoomId, userId: UserId, capacity: number): boolean {
    if (this.appContext.replicationStatus.role() === 'primary') return true
    const { presence } = this.appContext
    return presence.isMember(roomId, userId) || capacity - presence.roomCount(roomId, null) > NEAR_CAPACITY_SEATS
  }

  /** Takes a seat: null when granted, else RoomFull, or RegionCut when the primary cannot be asked. */
  take(roomId: RoomId, userId: UserId, capacity: number): Refusal | null | Promise<Refusal | null> {
    if (this.isFull(roomId, userId, capacity)) return refuse('RoomFull')
    if (!this.isDecidedHere(roomId, userId, capacity)) return this.ask(roomId, userId)
    this.reserve(roomId, userId, capacity)
    return null
  }

  /** Answers no question any more. */
  close(): void {
    for (const { settle } of this.asks.values()) settle(null)
  }

  private reserve(roomId: RoomId, userId: UserId, capacity: number): void {
    const { presence } = this.appContext
    const isScarce = capacity - presence.roomCount(roomId, null) <= NEAR_CAPACITY_SEATS
    if (!isScarce || presence.isMember(roomId, userId) || presence.isGhost(userId)) return
    const reserved = this.reservations.get(roomId) ?? new Map<UserId, number>()
    this.reservations.set(roomId, reserved.set(userId, performance.now() + RESERVATION_MS))
  }

  /** The granted seats of other users whom this region does not see in the room yet. */
  private countReserved(roomId: RoomId, userId: UserId): number {
    const reserved = this.reservations.get(roomId)
    if (!reserved) return 0
    const now = performance.now()
    for (const [holder, endsAt] of reserved) {
      if (endsAt <= now || this.appContext.presence.isMember(roomId, holder)) reserved.delete(holder)
    }
    if (reserved.size === 0) this.reservations.delete(roomId)
    return reserved.size - (reserved.has(userId) ? 1 : 0)
  }

  private ask(roomId: RoomId, userId: UserId): Refusal | Promise<Refusal | null> {
    const primary = this.appContext.replicationStatus.primaryRegion()
    if (primary === null || !this.bus.peers().includes(primary)) return refuse('RegionCut')
    const ask = ++this.lastAsk
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), ASK_TIMEOUT_MS)
      const settle = (isGranted: boolean | null): void => {
        clearTimeout(timer)
        this.asks.delete(ask)
        if (isGranted === false) this.fullUntil.set(roomId, performance.now() + FULL_MEMORY_MS)
        resolve(isGranted ? null : refuse(isGranted === null ? 'RegionCut' : 'RoomFull'))
      }
      this.asks.set(ask, { from: primary, settle })
      this.bus.send(primary, ASK_TOPIC, { ask, roomId, userId })
    })
  }

  /** On the primary. A region that has become a replica grants nothing. */
  private onAsk(from: string, payload: unknown): void {
    const parsed = v.safeParse(Ask, payload)
    if (!parsed.success || this.appContext.replicationStatus.role() !== 'primary') return
    const { ask, roomId, userId } = parsed.output
    const capacity = this.appContext.reader.get(roomById, { id: roomId })?.capacity ?? 0
    const isGranted = this.take(roomId, userId, capacity) === null
    this.bus.send(from, ANSWER_TOPIC, { ask, isGranted })
  }

  private onAnswer(from: string, payload: unknown): void {
    const parsed = v.safeParse(Answer, payload)
    if (!parsed.success) return
    const asked = this.asks.get(parsed.output.ask)
    if (asked?.from === from) asked.settle(parsed.output.isGranted)
  }
}
