import type { Person } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Connection } from '../live/connection.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import { RosterView, type ViewOwner } from './roster-view.ts'

/** Deliberately, or because the connection broke. */
export type LeaveReason = 'left' | 'disconnected'

/** Publishes the changes of a roster under the event names of its room or of the site, each to those whose view it is. */
export interface RosterListener {
  onJoin(person: Person, view: RosterView): void
  onLeave(person: Person, view: RosterView): void
  onOnlineChange(person: Person, view: RosterView): void
  /** The user summary changed. */
  onUpdate(person: Person, view: RosterView, before: Person): void
  /** Sends the first page and the total to newcomers or to everyone. */
  sendSnapshot(to: Iterable<Connection> | 'everyone', view: RosterView): void
  /** The roster of the site: root admins see ghost-banned members, marked, and the number of members is published. */
  isSite?: boolean
  /** How many a roster shows at most to a ghost-banned member. */
  capacity?(): number
  /** A user has entered or left. Called at once, unlike the above. */
  onSizeChange?(size: number, owner: ViewOwner): void
  /** A ghost-banned user of this region sees another roster than everybody from now on, or the same again. */
  onViewOpened?(owner: UserId, size: number): void
  onViewClosed?(owner: UserId): void
  /** A member's presence in this region changed or, with `ended`, ended; other regions must be informed. */
  onLocalChange?(userId: UserId, ended?: LeaveReason): void
}

/** What views read of a member. */
interface ViewedMember {
  person: Person
  /** Hidden from all but themselves and, on the site, root admins. */
  isGhost: boolean
}

interface RosterViewsOptions {
  members: ReadonlyMap<UserId, ViewedMember>
  listener: RosterListener
  onFlush(): void
  clock(): number
}

/**
 * The views of one roster. Without ghost-banned members there is only everybody's. Each ghost of this region has a view of
 * their own, which is what everybody's would be without the ban: the same members with the ghost, published in windows of its
 * own, so that neither the ghost's actions nor the ban change when others receive anything, or the ghost.
 */
export class RosterViews {
  readonly everybody: RosterView
  private readonly options: RosterViewsOptions
  private readonly ofGhosts = new Map<UserId, RosterView>()
  /** Owners of such views who have no connection to this region any more. */
  private readonly departed = new Set<UserId>()
  private ofRootAdmins: RosterView | null = null

  constructor(options: RosterViewsOptions) {
    this.options = options
    this.everybody = this.createView('everybody')
  }

  /** The view of a user. */
  of(userId: UserId): RosterView {
    return this.ofGhosts.get(userId) ?? this.everybody
  }

  for(viewer: PresenceViewer | null): RosterView {
    if (viewer?.role === 'rootadmin' && this.ofRootAdmins) return this.ofRootAdmins
    return viewer ? this.of(viewer.userId) : this.everybody
  }

  ofGhost(userId: UserId): RosterView | undefined {
    return this.ofGhosts.get(userId)
  }

  ghostOwners(): UserId[] {
    return [...this.ofGhosts.keys()]
  }

  *all(): Iterable<RosterView> {
    yield this.everybody
    yield* this.ofGhosts.values()
    if (this.ofRootAdmins) yield this.ofRootAdmins
  }

  /** Must be called before each change of a member. */
  markChanged(userId: UserId, isGhost: boolean): void {
    if (!isGhost) this.everybody.markChanged(userId)
    for (const view of this.ofGhosts.values()) if (!isGhost || view.owner === userId) view.markChanged(userId)
    this.ofRootAdmins?.markChanged(userId)
  }

  /** A member has entered or left. */
  changeSize(userId: UserId, isGhost: boolean, delta: 1 | -1): void {
    if (!isGhost) this.changeSizeOf(this.everybody, delta)
    for (const view of this.ofGhosts.values())
      if (!isGhost || view.owner === userId) this.changeGhostView(view, userId, delta)
    this.ofRootAdmins?.changeSize(delta)
  }

  /** Sends the connection a snapshot with the next flush of its view. That of a hidden user begins no window of others. */
  queueSnapshot(connection: Connection): void {
    const view = this.serving(connection)
    view.queueSnapshot(connection)
    // A user whose ban was lifted keeps the own view until it equals everybody's.
    if (this.isHiddenOwner(view.owner)) return
    for (const other of [this.everybody, ...this.ofGhosts.values()]) other.scheduleFlush()
  }

  private isHiddenOwner(owner: ViewOwner): boolean {
    return typeof owner === 'number' && (this.options.members.get(owner)?.isGhost ?? true)
  }

  removeConnection(connection: Connection): void {
    for (const view of this.all()) view.removeConnection(connection)
  }

  /** Hides or shows a member; `apply` changes it. The member's own view does not change. */
  changeVisibility(userId: UserId, member: ViewedMember, isGhost: boolean): void {
    if (isGhost) this.openForRootAdmins()
    const others = [...this.all()].filter(({ owner }) => owner !== userId)
    for (const view of others) view.markChanged(userId)
    member.isGhost = isGhost
    this.changeSizeOf(this.everybody, isGhost ? -1 : 1)
    for (const view of this.ofGhosts.values())
      if (view.owner !== userId) this.changeGhostView(view, userId, isGhost ? -1 : 1)
    const own = this.ofGhosts.get(userId)
    if (own && !isGhost) for (const concealedId of own.concealed) this.reveal(own, concealedId)
  }

  /** Begins the view of a ghost of this region, before the ghost is hidden or enters. */
  openForGhost(userId: UserId): void {
    this.departed.delete(userId)
    if (this.ofGhosts.has(userId)) return
    const view = this.createView(userId, this.everybody)
    const member = this.options.members.get(userId)
    if (member?.isGhost) view.include(member.person)
    this.ofGhosts.set(userId, view)
    this.options.listener.onViewOpened?.(userId, view.size)
  }

  /** Begins the view of root admins, if the roster has one, before the first ghost is a member. */
  openForRootAdmins(): void {
    if (this.options.listener.isSite) this.ofRootAdmins ??= this.createView('rootAdmins', this.everybody)
  }

  /** A user has left this region. Their view ends with its open window: one who comes back before finds it. */
  depart(userId: UserId): void {
    if (!this.ofGhosts.has(userId)) return
    this.departed.add(userId)
    this.closeUnneeded()
  }

  /** Ends the views of users who have left, and of those who are no ghosts any more, once they equal everybody's. */
  closeUnneeded(): void {
    if (this.everybody.servesAll || !this.isSettled(this.everybody)) return
    const { members } = this.options
    for (const [userId, view] of this.ofGhosts) {
      const isNeeded = members.get(userId)?.isGhost && !this.departed.has(userId)
      if (!isNeeded && this.isSettled(view)) this.close(userId, view)
    }
    if (!this.ofRootAdmins?.isIdle || this.ofRootAdmins.size !== this.everybody.size) return
    this.ofRootAdmins.close()
    this.ofRootAdmins = null
  }

  private close(userId: UserId, view: RosterView): void {
    view.close()
    this.ofGhosts.delete(userId)
    this.departed.delete(userId)
    this.options.listener.onViewClosed?.(userId)
  }

  /** A member enters or leaves, unless the ghost takes the room for full: then nobody enters until somebody leaves. */
  private changeGhostView(view: RosterView, userId: UserId, delta: 1 | -1): void {
    const { concealed } = view
    const isFull = () => view.size >= (this.options.listener.capacity?.() ?? Number.POSITIVE_INFINITY)
    if (delta === 1 && userId !== view.owner && isFull()) concealed.add(userId)
    else if (delta === 1 || !concealed.delete(userId)) {
      this.changeSizeOf(view, delta)
      const [next] = concealed
      if (delta === -1 && next !== undefined) this.reveal(view, next)
    }
  }

  private reveal(view: RosterView, userId: UserId): void {
    view.markChanged(userId)
    view.concealed.delete(userId)
    this.changeSizeOf(view, 1)
  }

  private changeSizeOf(view: RosterView, delta: 1 | -1): void {
    view.changeSize(delta)
    this.options.listener.onSizeChange?.(view.size, view.owner)
  }

  private serving(connection: Connection): RosterView {
    return this.for(connection.identity?.viewer ?? null)
  }

  private createView(owner: ViewOwner, from?: RosterView): RosterView {
    const { members, listener, onFlush, clock } = this.options
    const shown = (member: ViewedMember | undefined): Person | undefined => {
      if (member && view.concealed.has(member.person.id)) return undefined
      if (!member?.isGhost || member.person.id === owner) return member?.person
      return owner === 'rootAdmins' ? { ...member.person, isGhost: true } : undefined
    }
    const view: RosterView = new RosterView(
      owner,
      {
        personOf: (userId) => shown(members.get(userId)),
        people: () => Array.from(members.values()).flatMap((member) => shown(member) ?? []),
        onJoin: (person) => listener.onJoin(person, view),
        onLeave: (person) => listener.onLeave(person, view),
        onOnlineChange: (person) => listener.onOnlineChange(person, view),
        onUpdate: (person, before) => listener.onUpdate(person, view, before),
        sendSnapshot: listener.sendSnapshot,
        serves: this.servedBy(owner),
        isOnly: () => this.ofGhosts.size === 0 && !this.ofRootAdmins,
        onFlush: owner === 'everybody' ? onFlush : () => {},
        onFlushed: () => this.closeUnneeded(),
        clock,
      },
      from,
    )
    return view
  }

  private servedBy(owner: ViewOwner): (connection: Connection) => boolean {
    if (owner !== 'everybody') {
      return ({ identity }) =>
        owner === 'rootAdmins' ? identity?.viewer.role === 'rootadmin' : identity?.viewer.userId === owner
    }
    return (connection) => this.serving(connection) === this.everybody
  }

  private isSettled(view: RosterView): boolean {
    return view.isIdle && (!this.options.listener.isSite || view.isCountPublished)
  }
}
