import type { Server, Socket } from 'socket.io'

const COALESCE_MS = 250
const MAX_CHANGES = 50
const MAX_LISTED_USERS = 100

/** Announces joins to a socket.io room: each at once, or coalesced by the rules of our server. */
export class JoinAnnouncer {
  private readonly io: Server
  private readonly isCoalesced: boolean
  private readonly rooms = new Map<number, Map<string, object>>()
  private readonly pendingJoins = new Map<number, object[]>()
  private userCount = 0

  constructor(io: Server, isCoalesced: boolean) {
    this.io = io
    this.isCoalesced = isCoalesced
  }

  async join(socket: Socket, roomId: number): Promise<void> {
    for (const room of socket.rooms) if (room !== socket.id) await socket.leave(room)
    for (const members of this.rooms.values()) members.delete(socket.id)
    await socket.join(`room:${roomId}`)
    const members = this.rooms.get(roomId) ?? new Map<string, object>()
    this.rooms.set(roomId, members)
    const user = toPerson(++this.userCount)
    members.set(socket.id, user)
    socket.emit('users-in-room', {
      roomId,
      users: [...members.values()].slice(0, MAX_LISTED_USERS),
      total: members.size,
    })
    if (this.isCoalesced) this.enqueueJoin(roomId, user)
    else socket.to(`room:${roomId}`).emit('user-joined', { roomId, user })
  }

  private enqueueJoin(roomId: number, user: object): void {
    const pendingJoins = this.pendingJoins.get(roomId)
    if (pendingJoins) return void pendingJoins.push(user)
    this.pendingJoins.set(roomId, [user])
    setTimeout(() => this.announceJoins(roomId), COALESCE_MS)
  }

  private announceJoins(roomId: number): void {
    const joined = this.pendingJoins.get(roomId) ?? []
    this.pendingJoins.delete(roomId)
    const members = [...(this.rooms.get(roomId)?.values() ?? [])]
    const room = this.io.to(`room:${roomId}`)
    if (joined.length <= MAX_CHANGES) for (const user of joined) room.emit('user-joined', { roomId, user })
    else room.emit('users-in-room', { roomId, users: members.slice(0, MAX_LISTED_USERS), total: members.length })
  }
}

/** A user with the fields that our server sends. */
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
