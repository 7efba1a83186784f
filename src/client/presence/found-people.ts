import type { Person } from '../../shared/accounts/protocol.ts'
import { fits, type PeopleFilter } from '../../shared/presence/rules.ts'
import { signal } from '../signal.ts'

/** Some of those whom a filter lets through. */
export interface PeoplePage {
  users: readonly Person[]
  /** How many there are in all; null where nobody counts them. */
  total: number | null
  /** From where to go on; null at the end. Where there is a count, that says where the end is, too. */
  next: string | null
}

/** What is known of those whom the filter lets through. */
export interface Found {
  users: readonly Person[]
  total: number
  state: 'looking' | 'shown' | 'failed'
}

export interface PeopleSource {
  /** A page that comes after `next` of the one before; null when it could not be had. */
  ask(filter: PeopleFilter, after: string | undefined): Promise<PeoplePage | null>
  /** The order in which the source has them. */
  order(a: Person, b: Person): number
}

/** People whom the server finds, a page at a time, kept up with whoever comes, goes or is shown in another way. */
export class FoundPeople {
  readonly list = signal<Found>({ users: [], total: 0, state: 'looking' })

  private readonly source: PeopleSource
  /** null while nobody looks. */
  private filter: PeopleFilter | null = null
  private next: string | null = null
  private hasCount = false
  /** Rises with every look, so that pages of an older one are not heeded. */
  private turn = 0
  private loading: Promise<boolean> | null = null

  constructor(source: PeopleSource) {
    this.source = source
  }

  /** Looks for other people. */
  look(filter: PeopleFilter): void {
    this.list.value = { users: [], total: 0, state: 'looking' }
    this.filter = filter
    this.lookAgain()
  }

  /** Looks for the same people anew; those who are shown stay until others are there. */
  lookAgain(): void {
    if (!this.filter) return
    this.turn++
    this.loading = null
    void this.load(undefined)
  }

  /** Nobody looks any more. */
  stop(): void {
    this.turn++
    this.filter = null
    this.loading = null
  }

  /** Loads until that many are there, or all are. False when some did not come. */
  async loadThrough(count: number): Promise<boolean> {
    const { turn } = this
    while (turn === this.turn && (this.loading || (this.next !== null && this.list.peek().users.length < count))) {
      const isThere = await (this.loading ?? this.load(this.next ?? undefined))
      if (!isThere && turn === this.turn) return false
    }
    return true
  }

  joined(user: Person): void {
    const { users, total } = this.list.peek()
    if (users.some(({ id }) => id === user.id)) this.updated(user)
    else if (this.fits(user)) this.put(this.isWithin(user) ? [...users, user] : users, total + 1)
  }

  left(username: string): void {
    const { users, total } = this.list.peek()
    const stay = users.filter((user) => user.username !== username)
    if (stay.length < users.length) this.put(stay, total - 1)
    else if (this.hasCount && !this.filter?.gender && this.fits({ username, gender: null })) this.put(users, total - 1)
  }

  statusChanged(username: string, isOnline: boolean): void {
    const { users, total } = this.list.peek()
    const isNews = users.some((user) => user.username === username && user.isOnline !== isOnline)
    if (!isNews) return
    this.put(
      users.map((user) => (user.username === username ? { ...user, isOnline } : user)),
      total,
    )
  }

  updated(user: Person): void {
    const { users, total } = this.list.peek()
    const others = users.filter(({ id }) => id !== user.id)
    if (others.length === users.length) return
    const stays = this.fits(user)
    this.put(stays ? [...others, user] : others, stays ? total : total - 1)
  }

  private load(after: string | undefined): Promise<boolean> {
    const loading = this.loadPage(after).finally(() => {
      if (this.loading === loading) this.loading = null
    })
    this.loading = loading
    return loading
  }

  private async loadPage(after: string | undefined): Promise<boolean> {
    const { filter, turn } = this
    if (!filter) return true
    const page = await this.source.ask(filter, after)
    if (turn !== this.turn) return true
    if (!page) {
      this.list.value = { ...this.list.peek(), state: 'failed' }
      return false
    }
    const before = after === undefined ? [] : this.list.peek().users
    const ids = new Set(page.users.map(({ id }) => id))
    const users = [...before.filter(({ id }) => !ids.has(id)), ...page.users]
    this.hasCount = page.total !== null
    this.next = page.total !== null && users.length >= page.total ? null : page.next
    this.put(users, page.total ?? 0)
    return true
  }

  /** Where nobody counts, one more than are loaded stands for all that may come. */
  private put(people: readonly Person[], total: number): void {
    const users = people.toSorted(this.source.order)
    const more = this.next === null ? 0 : 1
    this.list.value = {
      users,
      total: this.hasCount ? Math.max(total, users.length) : users.length + more,
      state: 'shown',
    }
  }

  /** Whether this place in the list is loaded already. */
  private isWithin(user: Person): boolean {
    const last = this.list.peek().users.at(-1)
    return this.next === null || (last !== undefined && this.source.order(user, last) < 0)
  }

  private fits(person: Pick<Person, 'username' | 'gender'>): boolean {
    return this.filter !== null && fits(this.filter)(person)
  }
}
