import type { Person } from '../../shared/accounts/protocol.ts'
import { upperBound } from '../../shared/presence/order.ts'
import { signal } from '../signal.ts'
import { Covered, START } from './covered.ts'

/** Some of a list of people, in its order. */
export interface PeoplePage {
  users: readonly Person[]
  /** How many there are in all; null where nobody counts them. */
  total: number | null
  /** From where to go on; null at the end. */
  next: string | null
}

/** What is known of a list of people. */
export interface PeopleList {
  users: readonly Person[]
  /** How many there are; where nobody counts them, one more than are known stands for all that may come. */
  total: number
  /** All of them are known, as they are now. */
  isWhole: boolean
  state: 'looking' | 'shown' | 'failed'
}

export interface PeopleSource {
  /** A page that comes after the name; null when it could not be had. */
  ask(after: string | undefined): Promise<PeoplePage | null>
  /** The order in which the source has names. */
  order(a: string, b: string): number
  /** Whom the list is of. */
  fits(person: Person): boolean
  /** Whether somebody of this name, who is gone, was in the list; null where a name does not tell. */
  had(username: string): boolean | null
  /** Nobody is left out: whoever is not in the whole list is not here. */
  isOfEveryone: boolean
}

/** No list yet, in which there is nothing to be loaded. */
export const NOBODY: PeopleList = { users: [], total: 0, isWhole: true, state: 'looking' }

/**
 * People whom the server lists a page at a time, kept up with whoever comes, goes or is shown in another way. A page is
 * the truth of its stretch of the list at its place among the events. When so much has changed that it is not told one
 * by one, what is shown stays, and each stretch is asked for again when it comes into view.
 */
export class PagedPeople {
  readonly list = signal<PeopleList>(NOBODY)

  private source: PeopleSource
  private readonly covered: Covered
  private hasCount = true
  /** Rises whenever what is known is doubted, so that pages asked for earlier are not heeded. */
  private turn = 0
  private loading: Promise<boolean> | null = null

  constructor(source: PeopleSource) {
    this.source = source
    this.covered = new Covered(source.order)
  }

  /** Another list begins, with nobody known, or with these. */
  open(source: PeopleSource, page?: PeoplePage): void {
    this.source = source
    this.doubt()
    if (page) this.take(START, page, [])
    else this.list.value = { ...NOBODY, isWhole: false }
  }

  /** Nobody looks at the list any more. */
  protected close(source: PeopleSource): void {
    this.source = source
    this.doubt()
  }

  /** How the list begins now. What comes after it may have changed in any way. */
  begin(page: PeoplePage): void {
    this.doubt()
    this.take(START, page)
  }

  /** Anything may have changed. */
  renew(): void {
    this.doubt()
    this.list.value = { ...this.list.peek(), isWhole: false }
  }

  /** Loads the rows from `first` to before `last`, as far as there are so many. False when some did not come. */
  async loadRows(first: number, last: number): Promise<boolean> {
    const { turn } = this
    for (let gap = this.gapIn(first, last); gap !== null && turn === this.turn; gap = this.gapIn(first, last)) {
      const isThere = await (this.loading ?? this.load(gap))
      if (!isThere && turn === this.turn) return false
    }
    return true
  }

  joined(user: Person): void {
    const { users, total } = this.list.peek()
    if (users.some(({ id }) => id === user.id)) this.updated(user)
    else if (this.source.fits(user)) this.show(this.isWithin(user) ? this.with(users, user) : users, total + 1)
  }

  left(username: string): void {
    const { users, total, isWhole } = this.list.peek()
    const stay = users.filter((user) => user.username !== username)
    if (stay.length < users.length) this.show(stay, total - 1)
    else if (isWhole || !this.hasCount) return
    else if (this.source.had(username) === null) this.renew()
    else if (this.source.had(username)) this.show(users, total - 1)
  }

  statusChanged(username: string, isOnline: boolean): void {
    const { users, total } = this.list.peek()
    const at = users.findIndex((user) => user.username === username)
    const user = users[at]
    if (user && user.isOnline !== isOnline) this.show(users.with(at, { ...user, isOnline }), total)
  }

  /** Somebody may have another name from now on, and with it another place. */
  updated(user: Person): void {
    const { users, total, isWhole } = this.list.peek()
    const others = users.filter(({ id }) => id !== user.id)
    const fits = this.source.fits(user)
    if (others.length < users.length) {
      if (fits) this.show(this.isWithin(user) ? this.with(others, user) : others, total)
      else this.show(others, total - 1)
    } else if (fits && !(isWhole && this.source.isOfEveryone)) {
      // They may have come from beyond what is known, and may not be of this list at all.
      this.renew()
    }
  }

  private doubt(): void {
    this.turn++
    this.loading = null
    this.covered.clear()
  }

  /** Behind which name the next page is to be asked for, to have these rows; null when they are there. */
  private gapIn(first: number, last: number): string | null {
    const { users, isWhole } = this.list.peek()
    if (isWhole) return null
    const gap = this.covered.gapFrom(this.nameBefore(first))
    const end = users[last - 1]
    if (gap !== null && !(end && this.source.order(end.username, gap) <= 0)) return gap
    // There are fewer rows than were counted: those that are missing come earlier.
    return gap === null && !end ? this.covered.gapFrom(START) : null
  }

  /** Of the row before this one, or the last that is known. */
  private nameBefore(row: number): string {
    const { users } = this.list.peek()
    return users[Math.min(row, users.length) - 1]?.username ?? START
  }

  private load(after: string): Promise<boolean> {
    const loading = this.loadPage(after).finally(() => {
      if (this.loading === loading) this.loading = null
    })
    this.loading = loading
    return loading
  }

  private async loadPage(after: string): Promise<boolean> {
    const { turn } = this
    const page = await this.source.ask(after === START ? undefined : after)
    if (turn !== this.turn) return true
    if (page) this.take(after, page)
    else this.list.value = { ...this.list.peek(), state: 'failed' }
    return page !== null
  }

  /** Whoever was known in the page's stretch of the list and is not in the page is not there any more. */
  private take(after: string, { users: page, total, next }: PeoplePage, known = this.list.peek().users): void {
    const { order } = this.source
    const ids = new Set(page.map(({ id }) => id))
    const others = known.filter(({ id }) => !ids.has(id))
    const before = others.slice(0, upperBound(others, after, order))
    const behind = next === null ? [] : others.slice(upperBound(others, next, order))
    const users = [...before, ...page, ...behind]
    this.covered.add(after, next)
    this.hasCount = total !== null
    const gap = this.covered.gapFrom(START)
    // Names are compared only where there can be that many: that is slow the first time (shared/presence/order.ts).
    const isAll = gap !== null && total !== null && users.length >= total && upperBound(users, gap, order) === total
    if (isAll) this.covered.add(gap, null)
    this.show(isAll ? users.slice(0, total) : users, total ?? 0, 'shown')
  }

  private show(users: readonly Person[], counted: number, state = this.list.peek().state): void {
    const { isWhole } = this.covered
    const total = isWhole ? users.length : this.hasCount ? counted : users.length + 1
    this.list.value = { users, total, isWhole, state }
  }

  /** Whether somebody's place is among those who are known. */
  private isWithin({ username }: Person): boolean {
    const last = this.list.peek().users.at(-1)
    const isBeforeLast = last !== undefined && this.source.order(username, last.username) < 0
    return isBeforeLast || this.covered.gapFrom(username) !== username
  }

  private with(users: readonly Person[], user: Person): readonly Person[] {
    return users.toSpliced(upperBound(users, user.username, this.source.order), 0, user)
  }
}
