import type { Person } from '../../../shared/accounts/protocol.ts'
import { upperBound } from '../../../shared/presence/name-order.ts'
import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { PEOPLE_PER_PAGE } from '../../../shared/rooms/protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Connection } from '../live/connection.ts'
import { RosterPublisher, type RosterPublisherOptions } from './roster-publisher.ts'
import { countUsers, type UserCounts } from './user-counts.ts'

/** Whose view of a roster it is: everybody's, that of root admins, or that of one ghost-banned user. */
export type ViewOwner = 'everybody' | 'rootAdmins' | UserId

interface RosterViewOptions extends Pick<RosterPublisherOptions, 'onJoin' | 'onLeave' | 'onOnlineChange' | 'onUpdate'> {
  /** A member as this view shows one; undefined for others. */
  personOf(userId: UserId): Person | undefined
  /** All members of this view. */
  people(): Person[]
  sendSnapshot(to: Iterable<Connection> | 'everyone', view: RosterView): void
  /** Whether the view is sent to this connection. */
  serves(connection: Connection): boolean
  /** Whether no other view exists. */
  isOnly(): boolean
  onFlush(): void
  onFlushed(): void
  clock(): number
}

/** Cache of folded names: thousands are searched at every pause in typing. */
const foldedNames = new WeakMap<Person, string>()

/** A roster as some of its observers see it: its members, their number, and what is published of them. */
export class RosterView {
  readonly owner: ViewOwner
  readonly serves: (connection: Connection) => boolean
  /** Number of members. */
  size = 0
  /** In the view of a ghost: members who took the seat that the ghost would have, in the order in which they entered. */
  readonly concealed = new Set<UserId>()
  /** Rises with every user who enters or leaves, also when the size is then the same again. */
  revision = 0
  /** The revision whose size was published last. */
  publishedRevision = 0
  private readonly options: RosterViewOptions
  private readonly publisher: RosterPublisher
  private cachedCounts: UserCounts | null = null

  /** @param from another view that this one continues for its own connections, with all that it has not published yet */
  constructor(owner: ViewOwner, options: RosterViewOptions, from?: RosterView) {
    this.owner = owner
    this.options = options
    this.serves = options.serves
    this.publisher = new RosterPublisher(
      {
        ...options,
        sendSnapshot: (to) => options.sendSnapshot(to, this),
        onFlush: () => {
          this.cachedCounts = null
          options.onFlush()
        },
      },
      from?.publisher,
    )
    if (!from) return
    this.size = from.size
    this.revision = from.revision
    this.publishedRevision = from.publishedRevision
    this.cachedCounts = from.cachedCounts
  }

  /** No change waits to be published. */
  get isIdle(): boolean {
    return this.publisher.isIdle
  }

  /** The present number of members was published. */
  get isCountPublished(): boolean {
    return this.publishedRevision === this.revision
  }

  /** Whether the view is sent to every connection. */
  get servesAll(): boolean {
    return this.options.isOnly()
  }

  has(userId: UserId): boolean {
    return this.options.personOf(userId) !== undefined
  }

  /** Must be called before each change of a member that this view shows. */
  markChanged(userId: UserId): void {
    this.publisher.markChanged(userId)
  }

  /** Adds a member that has been published before this view began. */
  include(person: Person): void {
    this.publisher.include(person)
    this.size++
  }

  changeSize(delta: 1 | -1): void {
    this.size += delta
    this.revision++
  }

  queueSnapshot(connection: Connection): void {
    this.publisher.queueSnapshot(connection)
  }

  /** Begins a window as a snapshot for another view does, so that both flush at the same times. */
  scheduleFlush(): void {
    this.publisher.scheduleFlush()
  }

  removeConnection(connection: Connection): void {
    this.publisher.removeConnection(connection)
  }

  close(): void {
    this.publisher.close()
  }

  /** The first page and the total as they are once the person has entered. */
  withUser(person: Person): { users: Person[]; total: number } {
    if (this.has(person.id)) return { users: this.page(), total: this.size }
    const users = this.page()
    users.splice(upperBound(users, person.username), 0, person)
    return { users: users.slice(0, PEOPLE_PER_PAGE), total: this.size + 1 }
  }

  /** The first page and the total of the members who are connected, so without those within their grace period. */
  connected(): { users: Person[]; total: number } {
    const isOnline = (person: Person): boolean => person.isOnline
    return { users: this.page().filter(isOnline), total: this.options.people().filter(isOnline).length }
  }

  /** A page of members by name, after the given name. */
  page(after?: string): Person[] {
    return this.publisher.page(after)
  }

  /**
   * A page of matching members after the given name, and their total. It searches the published members, so that later
   * events contain exactly the changes that the page does not.
   */
  search(filter: PeopleFilter, after?: string): { users: Person[]; total: number } {
    const matches = this.publisher.published.filter(matchesFilter(filter, foldedName))
    return { users: pageAfter(matches, after), total: matches.length }
  }

  /** Counts by kind, recalculated at most once per flush. */
  counts(): UserCounts {
    this.cachedCounts ??= countUsers(this.options.people())
    return this.cachedCounts
  }
}

function pageAfter(people: readonly Person[], after: string | undefined): Person[] {
  const start = after === undefined ? 0 : upperBound(people, after)
  return people.slice(start, start + PEOPLE_PER_PAGE)
}

function foldedName(person: Person): string {
  const cached = foldedNames.get(person)
  if (cached !== undefined) return cached
  const folded = foldName(person.username)
  foldedNames.set(person, folded)
  return folded
}
