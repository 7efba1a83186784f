import type { Person } from '../../../shared/accounts/protocol.ts'
import { compareNames, upperBound } from '../../../shared/presence/name-order.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { PEOPLE_PER_PAGE } from '../../../shared/rooms/protocol.ts'
import type { Connection } from '../live/connection.ts'

/** Changes are collected for this long before they are published. */
const FLUSH_WINDOW_MS = 250
/** More changes than this in one flush become one snapshot, shared by all. */
const MAX_SINGLE_CHANGES = 50
/** Minimum interval between snapshots to everyone; newcomers get theirs at each flush. */
const BROADCAST_INTERVAL_MS = 1_000

/** Callbacks of the roster. */
interface RosterPublisherOptions {
  /** The current state of a member. */
  personOf(userId: UserId): Person | undefined
  onJoin(person: Person): void
  onLeave(person: Person): void
  onOnlineChange(person: Person): void
  onUpdate(person: Person, before: Person): void
  sendSnapshot(to: Iterable<Connection> | 'everyone'): void
  /** Called at each flush, before anything is sent. */
  onFlush(): void
  clock(): number
}

/** Changed members that are present, sorted by name, and the ids of all changed members. */
interface SortedChanges {
  people: readonly Person[]
  ids: ReadonlySet<UserId>
}

/** Publishes the collected changes of a roster: few as single events, many as one snapshot. */
export class RosterPublisher {
  private readonly options: RosterPublisherOptions
  /** Members changed since the last flush, with their last published state; null if there was none. */
  private readonly changedSinceFlush = new Map<UserId, Person | null>()
  private readonly newcomers = new Set<Connection>()
  private flushTimer: NodeJS.Timeout | null = null
  private lastBroadcastAt = Number.NEGATIVE_INFINITY
  /** A snapshot for everyone is due, because clients have missed single changes. */
  private isBroadcastDue = false
  private publishedPeople: Person[] = []
  private cachedChanges: SortedChanges | null = null

  constructor(options: RosterPublisherOptions) {
    this.options = options
  }

  /** The last published members, sorted by name. */
  get published(): readonly Person[] {
    return this.publishedPeople
  }

  /**
   * A page of the current members by name, after the given name, as `shown` gives them; changes of this window may be
   * missing.
   */
  page(shown: (person: Person) => Person | undefined, after?: string): Person[] {
    const { people: changed, ids } = this.sortedChanges()
    const take = (people: readonly Person[], skips: (person: Person) => boolean): Person[] => {
      const taken: Person[] = []
      for (let index = after === undefined ? 0 : upperBound(people, after); taken.length < PEOPLE_PER_PAGE; index++) {
        const person = people[index]
        if (!person) break
        const one = skips(person) ? undefined : shown(person)
        if (one) taken.push(one)
      }
      return taken
    }
    const unchanged = take(this.publishedPeople, ({ id }) => ids.has(id))
    return mergeSorted(
      unchanged,
      take(changed, () => false),
    ).slice(0, PEOPLE_PER_PAGE)
  }

  /** Must be called before each change of a member, so that the published state is kept for comparison. */
  markChanged(userId: UserId): void {
    if (!this.changedSinceFlush.has(userId)) {
      this.changedSinceFlush.set(userId, this.options.personOf(userId) ?? null)
    }
    this.scheduleFlush()
  }

  /** The connection gets a snapshot with the next flush. */
  queueSnapshot(connection: Connection): void {
    this.newcomers.add(connection)
    this.scheduleFlush()
  }

  removeConnection(connection: Connection): void {
    this.newcomers.delete(connection)
  }

  private scheduleFlush(): void {
    this.flushTimer ??= setTimeout(() => this.flush(), FLUSH_WINDOW_MS)
  }

  private flush(): void {
    this.flushTimer = null
    this.applyChanges()
    const changed = [...this.changedSinceFlush]
    const newcomers = [...this.newcomers]
    this.changedSinceFlush.clear()
    this.newcomers.clear()
    this.options.onFlush()
    if (this.isBroadcastDue || changed.length > MAX_SINGLE_CHANGES) this.broadcastSnapshot(newcomers)
    else {
      for (const [userId, before] of changed) this.publishChange(before, this.options.personOf(userId))
      if (newcomers.length) this.options.sendSnapshot(newcomers)
    }
  }

  private broadcastSnapshot(newcomers: Connection[]): void {
    const now = this.options.clock()
    this.isBroadcastDue = Math.abs(now - this.lastBroadcastAt) < BROADCAST_INTERVAL_MS
    if (this.isBroadcastDue) {
      if (newcomers.length) this.options.sendSnapshot(newcomers)
      this.scheduleFlush()
    } else {
      this.lastBroadcastAt = now
      this.options.sendSnapshot('everyone')
    }
  }

  private publishChange(before: Person | null, now: Person | undefined): void {
    if (now && !before) this.options.onJoin(now)
    else if (before && !now) this.options.onLeave(before)
    else if (before && now && !isSameSummary(before, now)) this.options.onUpdate(now, before)
    else if (before && now && before.isOnline !== now.isOnline) this.options.onOnlineChange(now)
  }

  /** Sorted at most once in a window, not for each of 5,000 arrivals. */
  private sortedChanges(): SortedChanges {
    this.cachedChanges ??= {
      people: [...this.changedSinceFlush.keys()]
        .flatMap((id) => this.options.personOf(id) ?? [])
        .sort((a, b) => compareNames(a.username, b.username)),
      ids: new Set(this.changedSinceFlush.keys()),
    }
    return this.cachedChanges
  }

  /** Brings the published members up to date; the cost of few changes does not grow with the number of members. */
  private applyChanges(): void {
    this.cachedChanges = null
    const { people: changed, ids } = this.sortedChanges()
    this.cachedChanges = null
    if (ids.size > MAX_SINGLE_CHANGES) {
      const unchanged = this.publishedPeople.filter(({ id }) => !ids.has(id))
      this.publishedPeople = mergeSorted(unchanged, changed)
      return
    }
    const people = this.publishedPeople
    for (const before of this.changedSinceFlush.values()) {
      if (before) people.splice(indexOfPerson(people, before), 1)
    }
    for (const person of changed) people.splice(upperBound(people, person.username), 0, person)
  }
}

/** Whether two states of a user differ in nothing but `isOnline`. */
export function isSameSummary(a: Person, b: Person): boolean {
  return (Object.keys({ ...a, ...b }) as (keyof Person)[]) // Object.keys returns string[]
    .every((key) => key === 'isOnline' || a[key] === b[key])
}

/** The index of a person who is in the sorted list; a name may come twice while a guest's name changes hands. */
function indexOfPerson(sorted: readonly Person[], { id, username }: Person): number {
  let index = upperBound(sorted, username) - 1
  while (index > 0 && sorted[index]?.id !== id) index--
  return index
}

/** Merges two lists that are sorted by name. */
function mergeSorted(sorted: Person[], people: readonly Person[]): Person[] {
  const all: Person[] = []
  let next = 0
  for (const person of people) {
    const index = upperBound(sorted, person.username)
    for (const other of sorted.slice(next, index)) all.push(other)
    all.push(person)
    next = index
  }
  return all.concat(sorted.slice(next))
}
