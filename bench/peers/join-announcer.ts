import type { Server, Socket } from 'socket.io'

const COALESCE_MS = 250
const MAX_CHANGES = 50
const MAX_LISTED_USERS = 100

/** Tells the people of a room on socket.io who comes: of each at once, or gathered by the rules that ours has. */
export class JoinAnnouncer {
  private readonly io: Server
  private readonly isCoalesced: boolean
  private readonly rooms = new Map<number, Map<string, object>>()
  private readonly waiting = new Map<number, object[]>()
  private userCount = 0

  constructor(io: Server, isGathered: boolean) {
    this.io = io
    this.isCoalesced = isGathered
  }

  async join(socket: Socket, roomId: number): Promise<void> {
    for (const room of socket.rooms) if (room !== socket.id) await socket.leave(room)
    for (const people of this.rooms.values()) people.delete(socket.id)
    await socket.join(`room:${roomId}`)
    const people = this.rooms.get(roomId) ?? new Map<string, object>()
    this.rooms.set(roomId, people)
    const user = toPerson(++this.userCount)
    people.set(socket.id, user)
    socket.emit('users-in-room', { roomId, users: [...people.values()].slice(0, MAX_LISTED_USERS), total: people.size })
    if (this.isCoalesced) this.enqueueJoin(roomId, user)
    else socket.to(`room:${roomId}`).emit('user-joined', { roomId, user })
  }

  private enqueueJoin(roomId: number, user: object): void {
    const waiting = this.waiting.get(roomId)
    if (waiting) return void waiting.push(user)
    this.waiting.set(roomId, [user])
    setTimeout(() => this.announceJoins(roomId), COALESCE_MS)
  }

  private announceJoins(roomId: number): void {
    const came = this.waiting.get(roomId) ?? []
    this.waiting.delete(roomId)
    const people = [...(this.rooms.get(roomId)?.values() ?? [])]
    const room = this.io.to(`room:${roomId}`)
    if (came.length <= MAX_CHANGES) for (const user of came) room.emit('user-joined', { roomId, user })
    else room.emit('users-in-room', { roomId, users: people.slice(0, MAX_LISTED_USERS), total: people.length })
  }
}

/** With the fields that ours have. */
function toPerson(id: number): object {
  const shown = { gender: null, avatarUrl: null, isGuest: true, isOnline: true, role: 'guest' }
  return {
    id,
    username: `gezgin.${String(id).padStart(5, '0')}`,
    ...shown,
    premiumStatus: 'guest',
    lastLoginPlatform: 'web',
  }
}
