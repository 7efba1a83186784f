import * as v from 'valibot'
import { events } from '../../shared/protocol/catalogue.ts'
import type { Publisher } from '../live/publish.ts'
import { mayRead } from '../live/visibility.ts'
import type { Bus } from '../regions/bus.ts'

/** A room hears who writes at most this often, however many do. */
const TELL_MS = 1_000
/** More people than this are not named at once. */
const MOST_NAMED = 5

const TOLD = 'typing'

interface Typist {
  id: number
  username: string
}

/**
 * Who is writing in which room, gathered: one small moment a second a room, whatever 2,000 people do. Nothing of it is
 * kept, and only the room hears it, in every region.
 */
export class Typing {
  private readonly publisher: Publisher
  private readonly bus: Bus
  private readonly isIn: (roomId: number, userId: number) => boolean
  /** Of each room, since it was told last: whoever writes in this region, and whoever does in others. */
  private readonly here = new Map<number, Map<number, Typist>>()
  private readonly elsewhere = new Map<number, Map<number, Typist>>()
  private readonly timers = new Map<number, NodeJS.Timeout>()

  /** @param isIn whether this person is in the room: whoever has left it, or was put out, writes nothing there */
  constructor(publisher: Publisher, bus: Bus, isIn: (roomId: number, userId: number) => boolean) {
    this.publisher = publisher
    this.bus = bus
    this.isIn = isIn
    bus.on(TOLD, (_, payload) => {
      const told = v.safeParse(events.typing.payload, payload)
      if (told.success) for (const user of told.output.users) this.gather(this.elsewhere, told.output.roomId, user)
    })
  }

  /** This person writes something in this room, in which they are. */
  note(roomId: number, typist: Typist): void {
    this.gather(this.here, roomId, typist)
  }

  /** What this person wrote is said, or will not be. */
  forget(roomId: number, userId: number): void {
    this.here.get(roomId)?.delete(userId)
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private gather(rooms: Map<number, Map<number, Typist>>, roomId: number, { id, username }: Typist): void {
    const typists = rooms.get(roomId) ?? new Map<number, Typist>()
    rooms.set(roomId, typists)
    if (typists.size < MOST_NAMED) typists.set(id, { id, username })
    if (!this.timers.has(roomId)) this.tell(roomId)
  }

  private tell(roomId: number): void {
    this.timers.delete(roomId)
    const isHere = ({ id }: Typist): boolean => this.isIn(roomId, id)
    const here = take(this.here, roomId).filter(isHere)
    const users = [...here, ...take(this.elsewhere, roomId).filter(isHere)].slice(0, MOST_NAMED)
    if (users.length === 0) return
    this.publisher.moment(`room:${roomId}`, 'typing', { roomId, users }, (viewer) => {
      const others = users.filter(({ id }) => mayRead(viewer, { actorId: id, audience: null }))
      return others.length > 0 ? { roomId, users: others } : null
    })
    if (here.length) this.bus.send('all', TOLD, { roomId, users: here })
    const timer = setTimeout(() => this.tell(roomId), TELL_MS)
    timer.unref()
    this.timers.set(roomId, timer)
  }
}

function take(rooms: Map<number, Map<number, Typist>>, roomId: number): Typist[] {
  const typists = [...(rooms.get(roomId)?.values() ?? [])]
  rooms.delete(roomId)
  return typists
}
