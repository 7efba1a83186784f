import type { Person } from '../../shared/accounts/protocol.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Live } from '../live/live.ts'
import { signal } from '../signal.ts'
import type { RoomLine } from './room-line.ts'

export interface PeopleList {
  /** By name, as far as they are loaded. */
  users: readonly Person[]
  /** How many are in the room. */
  total: number
}

// The server's order, on which paging depends (src/server/presence/roster.ts).
const byName = new Intl.Collator('tr').compare

/**
 * Who is in the room. A snapshot is the truth of its moment, and every change after it is told once, so the total is
 * counted on from it; changes told before the snapshot are overwritten by it.
 */
export class People {
  readonly list = signal<PeopleList>({ users: [], total: 0 })

  private readonly live: Live
  private roomId: number | null = null
  /** The last name that the server listed: the next page begins after it. */
  private listedTo: string | undefined
  private loading: Promise<void> | null = null

  constructor(live: Live, roomLine: RoomLine) {
    this.live = live
    roomLine.listen({ opened: ({ room, users, total }) => this.open(room.id, users, total) })
    live.on('users-in-room', ({ roomId, users, total }) => this.isHere(roomId) && this.replace(users, total))
    live.on('user-joined', ({ roomId, user }) => this.isHere(roomId) && this.joined(user))
    live.on('user-left', ({ roomId, username }) => this.isHere(roomId) && this.left(username))
    live.on('userStatusChanged', ({ username, isOnline }) => this.statusChanged(username, isOnline))
    live.on('userUpdated', ({ user }) => this.updated(user))
  }

  /** Loads until that many of the first are there, or all are. False when a page did not come. */
  async loadThrough(count: number): Promise<boolean> {
    for (;;) {
      const { users, total } = this.list.peek()
      if (users.length >= total || this.listed() >= count) return true
      const { roomId, listedTo } = this
      await this.loadMore()
      if (this.roomId !== roomId) return true
      const now = this.list.peek()
      if (this.listedTo === listedTo && now.users.length < now.total) return false
    }
  }

  /** Loads the next page, if there is one; whoever asks meanwhile waits for the same. */
  loadMore(): Promise<void> {
    this.loading ??= this.loadPage().finally(() => {
      this.loading = null
    })
    return this.loading
  }

  private async loadPage(): Promise<void> {
    const { roomId, listedTo } = this
    const { users, total } = this.list.peek()
    if (roomId === null || users.length >= total) return
    const answer = await this.live.request('getRoomUsers', {
      roomId,
      ...(listedTo !== undefined && { after: listedTo }),
    })
    const isStale = !this.isHere(roomId) || this.listedTo !== listedTo
    if (typeof answer === 'string' || answer instanceof Refusal || isStale) return
    this.listedTo = answer.users.at(-1)?.username ?? listedTo
    this.show(answer.users, this.list.peek().total)
    // Nobody comes after those that are here: whoever was counted beyond them is not there.
    const shown = this.list.peek().users
    if (answer.users.length === 0) this.list.value = { users: shown, total: shown.length }
  }

  /** How many of the first are there without a gap: somebody who joined may stand beyond one. */
  private listed(): number {
    const { listedTo } = this
    const { users } = this.list.peek()
    if (listedTo === undefined) return 0
    const beyond = users.findIndex(({ username }) => byName(username, listedTo) > 0)
    return beyond < 0 ? users.length : beyond
  }

  /** The same room's page again knows less than we do by now. */
  private open(roomId: number, users: readonly Person[], total: number): void {
    if (this.isHere(roomId)) return
    this.roomId = roomId
    this.replace(users, total)
  }

  private isHere(roomId: number): boolean {
    return roomId === this.roomId
  }

  private replace(users: readonly Person[], total: number): void {
    this.listedTo = users.at(-1)?.username
    this.list.value = { users, total }
  }

  private joined(user: Person): void {
    this.show([user], this.list.peek().total + 1)
  }

  private left(username: string): void {
    const { users, total } = this.list.peek()
    const stay = users.filter((user) => user.username !== username)
    this.list.value = { users: stay, total: total - 1 }
  }

  private statusChanged(username: string, isOnline: boolean): void {
    const { users, total } = this.list.peek()
    if (!users.some((user) => user.username === username && user.isOnline !== isOnline)) return
    this.list.value = {
      users: users.map((user) => (user.username === username ? { ...user, isOnline } : user)),
      total,
    }
  }

  /** Somebody may have another name from now on, and with it another place. */
  private updated(user: Person): void {
    const { users, total } = this.list.peek()
    if (users.some(({ id }) => id === user.id)) this.show([user], total)
  }

  /** Adds people, or renews what is known of them. */
  private show(more: readonly Person[], total: number): void {
    const ids = new Set(more.map((user) => user.id))
    const others = this.list.peek().users.filter((user) => !ids.has(user.id))
    const users = [...others, ...more].sort((a, b) => byName(a.username, b.username))
    this.list.value = { users, total }
  }
}
