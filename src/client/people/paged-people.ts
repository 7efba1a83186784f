import type { Person } from '../../shared/accounts/protocol.ts'
import { upperBound } from '../../shared/presence/name-order.ts'
import { signal } from '../signal.ts'
import { LIST_START, LoadedRanges } from './loaded-ranges.ts'

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
  isComplete: boolean
  state: 'loading' | 'loaded' | 'failed'
}

export interface PeopleSource {
  /** A page that comes after the name; null when it could not be had. */
  fetchPage(after: string | undefined): Promise<PeoplePage | null>
  /** The order in which the source has names. */
  compareNames(a: string, b: string): number
  /** Whom the list is of. */
  matches(person: Person): boolean
  /** Whether somebody of this name, who is gone, was in the list; null where a name does not tell. */
  mayHaveContained(username: string): boolean | null
  /** Nobody is left out: whoever is not in the whole list is not here. */
  isUnfiltered: boolean
}

/** No list yet, in which there is nothing to be loaded. */
export const EMPTY_PEOPLE_LIST: PeopleList = { users: [], total: 0, isComplete: true, state: 'loading' }

/**
 * People whom the server lists a page at a time, kept up with whoever comes, goes or is shown in another way. A page is
 * the truth of its stretch of the list at its place among the events. When so much has changed that it is not told one
 * by one, what is shown stays, and each stretch is asked for again when it comes into view.
 */
export class PagedPeople {
  readonly list = signal<PeopleList>(EMPTY_PEOPLE_LIST)

  private source: PeopleSource
  private readonly loadedRanges: LoadedRanges
  private hasTotal = true
  /** Rises whenever what is known is doubted, so that pages asked for earlier are not heeded. */
  private generation = 0
  private pendingLoad: Promise<boolean> | null = null

  constructor(source: PeopleSource) {
    this.source = source
    this.loadedRanges = new LoadedRanges(source.compareNames)
  }

  /** Another list begins, with nobody known, or with these. */
  reset(source: PeopleSource, page?: PeoplePage): void {
    this.source = source
    this.invalidate()
    if (page) this.applyPage(LIST_START, page, [])
    else this.list.value = { ...EMPTY_PEOPLE_LIST, isComplete: false }
  }

  /** Nobody looks at the list any more. */
  protected detach(source: PeopleSource): void {
    this.source = source
    this.invalidate()
  }

  /** How the list begins now. What comes after it may have changed in any way. */
  replaceFirstPage(page: PeoplePage): void {
    this.invalidate()
    this.applyPage(LIST_START, page)
  }

  /** Anything may have changed. */
  markStale(): void {
    this.invalidate()
    this.list.value = { ...this.list.peek(), isComplete: false }
  }

  /** Loads the rows from `first` to before `last`, as far as there are so many. False when some did not come. */
  async loadRows(first: number, last: number): Promise<boolean> {
    const { generation } = this
    for (
      let gap = this.firstGapIn(first, last);
      gap !== null && generation === this.generation;
      gap = this.firstGapIn(first, last)
    ) {
      const isThere = await (this.pendingLoad ?? this.startLoad(gap))
      if (!isThere && generation === this.generation) return false
    }
    return true
  }

  addUser(user: Person): void {
    const { users, total } = this.list.peek()
    if (users.some(({ id }) => id === user.id)) this.updateUser(user)
    else if (this.source.matches(user))
      this.publish(this.isInLoadedRange(user) ? this.insertUser(users, user) : users, total + 1)
  }

  removeUser(username: string): void {
    const { users, total, isComplete } = this.list.peek()
    const stay = users.filter((user) => user.username !== username)
    if (stay.length < users.length) this.publish(stay, total - 1)
    else if (isComplete || !this.hasTotal) return
    else if (this.source.mayHaveContained(username) === null) this.markStale()
    else if (this.source.mayHaveContained(username)) this.publish(users, total - 1)
  }

  setOnlineStatus(username: string, isOnline: boolean): void {
    const { users, total } = this.list.peek()
    const at = users.findIndex((user) => user.username === username)
    const user = users[at]
    if (user && user.isOnline !== isOnline) this.publish(users.with(at, { ...user, isOnline }), total)
  }

  /** Somebody may have another name from now on, and with it another place. */
  updateUser(user: Person): void {
    const { users, total, isComplete } = this.list.peek()
    const others = users.filter(({ id }) => id !== user.id)
    const fits = this.source.matches(user)
    if (others.length < users.length) {
      if (fits) this.publish(this.isInLoadedRange(user) ? this.insertUser(others, user) : others, total)
      else this.publish(others, total - 1)
    } else if (fits && !(isComplete && this.source.isUnfiltered)) {
      // They may have come from beyond what is known, and may not be of this list at all.
      this.markStale()
    }
  }

  private invalidate(): void {
    this.generation++
    this.pendingLoad = null
    this.loadedRanges.clear()
  }

  /** Behind which name the next page is to be asked for, to have these rows; null when they are there. */
  private firstGapIn(first: number, last: number): string | null {
    const { users, isComplete } = this.list.peek()
    if (isComplete) return null
    const gap = this.loadedRanges.firstGapFrom(this.usernameBefore(first))
    const end = users[last - 1]
    if (gap !== null && !(end && this.source.compareNames(end.username, gap) <= 0)) return gap
    // There are fewer rows than were counted: those that are missing come earlier.
    return gap === null && !end ? this.loadedRanges.firstGapFrom(LIST_START) : null
  }

  /** Of the row before this one, or the last that is known. */
  private usernameBefore(row: number): string {
    const { users } = this.list.peek()
    return users[Math.min(row, users.length) - 1]?.username ?? LIST_START
  }

  private startLoad(after: string): Promise<boolean> {
    const loading = this.loadPage(after).finally(() => {
      if (this.pendingLoad === loading) this.pendingLoad = null
    })
    this.pendingLoad = loading
    return loading
  }

  private async loadPage(after: string): Promise<boolean> {
    const { generation } = this
    const page = await this.source.fetchPage(after === LIST_START ? undefined : after)
    if (generation !== this.generation) return true
    if (page) this.applyPage(after, page)
    else this.list.value = { ...this.list.peek(), state: 'failed' }
    return page !== null
  }

  /** Whoever was known in the page's stretch of the list and is not in the page is not there any more. */
  private applyPage(after: string, { users: page, total, next }: PeoplePage, known = this.list.peek().users): void {
    const { compareNames } = this.source
    const ids = new Set(page.map(({ id }) => id))
    const others = known.filter(({ id }) => !ids.has(id))
    const before = others.slice(0, upperBound(others, after, compareNames))
    const behind = next === null ? [] : others.slice(upperBound(others, next, compareNames))
    const users = [...before, ...page, ...behind]
    this.loadedRanges.add(after, next)
    this.hasTotal = total !== null
    const gap = this.loadedRanges.firstGapFrom(LIST_START)
    // Names are compared only where there can be that many: that is slow the first time (shared/presence/order.ts).
    const isAll =
      gap !== null && total !== null && users.length >= total && upperBound(users, gap, compareNames) === total
    if (isAll) this.loadedRanges.add(gap, null)
    this.publish(isAll ? users.slice(0, total) : users, total ?? 0, 'loaded')
  }

  private publish(users: readonly Person[], counted: number, state = this.list.peek().state): void {
    const { isComplete } = this.loadedRanges
    const total = isComplete ? users.length : this.hasTotal ? counted : users.length + 1
    this.list.value = { users, total, isComplete: isComplete, state }
  }

  /** Whether somebody's place is among those who are known. */
  private isInLoadedRange({ username }: Person): boolean {
    const last = this.list.peek().users.at(-1)
    const isBeforeLast = last !== undefined && this.source.compareNames(username, last.username) < 0
    return isBeforeLast || this.loadedRanges.firstGapFrom(username) !== username
  }

  private insertUser(users: readonly Person[], user: Person): readonly Person[] {
    return users.toSpliced(upperBound(users, user.username, this.source.compareNames), 0, user)
  }
}
