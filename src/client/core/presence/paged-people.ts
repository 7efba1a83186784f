import type { Person } from '../../../shared/accounts/protocol.ts'
import { upperBound } from '../../../shared/presence/name-order.ts'
import { signal } from '../signals/signal.ts'
import { LIST_START, LoadedRanges } from './loaded-ranges.ts'

/** A page of a list of people, in the list's order. */
export interface PeoplePage {
  users: readonly Person[]
  /** The size of the whole list; null if it is not counted. */
  total: number | null
  /** The cursor of the next page, a name; null at the end. */
  next: string | null
}

/** The loaded part of a list of people. */
export interface PeopleList {
  users: readonly Person[]
  /** The size of the whole list; if it is not counted, the loaded ones plus one until the list is complete. */
  total: number
  /** Whether all rows are loaded and current. */
  isComplete: boolean
  state: 'loading' | 'loaded' | 'failed'
}

export interface PeopleSource {
  /** Fetches the page after a name; null when the request failed. */
  fetchPage(after: string | undefined): Promise<PeoplePage | null>
  /** The source's order of names. */
  compareNames(a: string, b: string): number
  /** Whether a person belongs to the list. */
  matches(person: Person): boolean
  /** Whether a person who has left was in the list, by name; null when the name alone cannot tell. */
  mayHaveContained(username: string): boolean | null
  /** Whether the list includes every present user. */
  isUnfiltered: boolean
}

/** The list before a source is set. */
export const EMPTY_PEOPLE_LIST: PeopleList = { users: [], total: 0, isComplete: true, state: 'loading' }

/**
 * A list of people that loads page by page and follows joins, leaves and updates. A page replaces its range of the
 * list. When the server sends no single changes, the shown rows stay, and each range is loaded again when it is in view.
 */
export class PagedPeople {
  readonly list = signal<PeopleList>(EMPTY_PEOPLE_LIST)

  private source: PeopleSource
  private readonly loadedRanges: LoadedRanges
  private hasTotal = true
  /** Incremented when the list becomes stale, so that answers to earlier requests are ignored. */
  private generation = 0
  private pendingLoad: Promise<boolean> | null = null

  constructor(source: PeopleSource) {
    this.source = source
    this.loadedRanges = new LoadedRanges(source.compareNames)
  }

  /** Starts another list, empty or with its first page. */
  reset(source: PeopleSource, page?: PeoplePage): void {
    this.source = source
    this.invalidate()
    if (page) this.applyPage(LIST_START, page, [])
    else this.list.value = { ...EMPTY_PEOPLE_LIST, isComplete: false }
  }

  /** Stops following changes; the shown rows stay. */
  protected detach(source: PeopleSource): void {
    this.source = source
    this.invalidate()
  }

  /** Replaces the first page; later rows become stale. */
  replaceFirstPage(page: PeoplePage): void {
    this.invalidate()
    this.applyPage(LIST_START, page)
  }

  /** Marks all rows as stale. */
  markStale(): void {
    this.invalidate()
    this.list.value = { ...this.list.peek(), isComplete: false }
  }

  /** Loads the existing rows from `first` (inclusive) to `last` (exclusive). False when a page failed. */
  async loadRows(first: number, last: number): Promise<boolean> {
    const { generation, source } = this
    // Rows that became stale before any arrived are loaded again: where nothing is shown, nothing else asks for them.
    const isCurrent = (): boolean =>
      generation === this.generation || (source === this.source && this.list.peek().state === 'loading')
    for (let gap = this.firstGapIn(first, last); gap !== null && isCurrent(); gap = this.firstGapIn(first, last)) {
      const isLoaded = await (this.pendingLoad ?? this.startLoad(gap))
      if (!isLoaded && generation === this.generation) return false
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

  /** Applies an update; a new name can move the person in the list. */
  updateUser(user: Person): void {
    const { users, total, isComplete } = this.list.peek()
    const others = users.filter(({ id }) => id !== user.id)
    const matches = this.source.matches(user)
    if (others.length < users.length) {
      if (matches) this.publish(this.isInLoadedRange(user) ? this.insertUser(others, user) : others, total)
      else this.publish(others, total - 1)
    } else if (matches && !(isComplete && this.source.isUnfiltered)) {
      // The person may have been in a range that is not loaded, or not in the list at all.
      this.markStale()
    }
  }

  private invalidate(): void {
    this.generation++
    this.pendingLoad = null
    this.loadedRanges.clear()
  }

  /** The name after which the next page must be loaded for these rows; null when they are loaded. */
  private firstGapIn(first: number, last: number): string | null {
    const { users, isComplete } = this.list.peek()
    if (isComplete) return null
    const gap = this.loadedRanges.firstGapFrom(this.usernameBefore(first))
    const end = users[last - 1]
    if (gap !== null && !(end && this.source.compareNames(end.username, gap) <= 0)) return gap
    // There are fewer rows than counted, so an earlier range is missing.
    return gap === null && !end ? this.loadedRanges.firstGapFrom(LIST_START) : null
  }

  /** The name of the row before this one, or of the last loaded one. */
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

  /** Replaces the page's range: known people in the range who are not in the page are removed. */
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
    // Names are compared last: the first comparison is slow (shared/presence/name-order.ts).
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

  /** Whether a person's position is in a loaded range. */
  private isInLoadedRange({ username }: Person): boolean {
    const last = this.list.peek().users.at(-1)
    const isBeforeLast = last !== undefined && this.source.compareNames(username, last.username) < 0
    return isBeforeLast || this.loadedRanges.firstGapFrom(username) !== username
  }

  private insertUser(users: readonly Person[], user: Person): readonly Person[] {
    return users.toSpliced(upperBound(users, user.username, this.source.compareNames), 0, user)
  }
}
