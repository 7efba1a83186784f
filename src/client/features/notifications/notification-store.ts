import type { Notification, UnreadCounts } from '../../../shared/notifications/notification.ts'
import { type NotificationTab, notificationTabs, tabOf } from '../../../shared/notifications/rules.ts'
import { NOTIFICATIONS_NOT_LOADED } from '../../../shared/notifications/texts.ts'
import type { EventPayload, RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type { EventHandlers } from '../../core/live/event-handlers.ts'
import { batch, signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

type NotificationPage = RouteAnswer<'notifications'>
type LoadedTab = PagedItems<Notification, string>
type LoadedTabs = Partial<Record<NotificationTab, LoadedTab>>
type Change = (tabs: LoadedTabs) => LoadedTabs

export const NO_UNREAD: UnreadCounts = {
  dmCall: 0,
  follow: 0,
  mention: 0,
  withdrawalRequest: 0,
  starRequest: 0,
  other: 0,
}

/** The viewer's notifications by tab, the latest first, as far as they are loaded. */
export class NotificationStore {
  /** A tab is missing before its first load. */
  readonly tabs = signal<LoadedTabs>({})
  readonly unread = signal<UnreadCounts>(NO_UNREAD)
  /** The notifications after a hello have come. */
  hasInitial = false

  private readonly fetchPage: (tab: NotificationTab, before: string | null) => Promise<NotificationPage | null>
  /** Changes that came while a request was under way: its answer may be older. */
  private changes: { change: Change; hasUnread: boolean }[] = []
  private pendingRequests = 0

  /** @param fetchPage requests the page of a tab at a cursor, or its first one; null without an answer */
  constructor(
    live: Pick<EventHandlers, 'on'>,
    fetchPage: (tab: NotificationTab, before: string | null) => Promise<NotificationPage | null>,
  ) {
    this.fetchPage = fetchPage
    live.on('initialNotifications', (initial) => this.onInitial(initial))
    live.on('newNotification', ({ unread, removedId, ...notification }) =>
      this.change(unread, (tabs) =>
        withNotification(
          without(tabs, ({ id }) => id === removedId),
          notification,
        ),
      ),
    )
    live.on('removeNotification', ({ unread, type, requestId }) =>
      this.change(unread, (tabs) => without(tabs, (known) => known.type === type && known.requestId === requestId)),
    )
    live.on('notificationsRead', ({ unread, notificationIds, isRemoved }) =>
      this.change(unread, (tabs) => read(tabs, isRemoved, ({ id }) => notificationIds.includes(id))),
    )
    live.on('notificationTabRead', ({ unread, tab, upTo, isRemoved }) =>
      this.change(unread, (tabs) =>
        read(tabs, isRemoved, ({ type, createdAt }) => isOfTab(type, tab) && createdAt <= upTo),
      ),
    )
    live.on('userProfileUpdated', ({ user }) =>
      this.change(null, (tabs) =>
        update(tabs, (known) => ({
          ...known,
          ...(known.senderId === user.id && senderOf(user, known)),
          ...(known.postOwnerId === user.id && { postOwnerUsername: user.username }),
        })),
      ),
    )
    // A resync is no hello, so no list follows it.
    live.on('resync', () => void this.refresh())
  }

  /** Loads the page of a tab at a cursor, or its first page where it is not loaded. Returns an error text, or null. */
  async load(tab: NotificationTab, before: string | null): Promise<string | null> {
    if (before === null && this.tabs.peek()[tab]) return null
    return this.request(tab, before)
  }

  /** Loads all tabs of the viewer that are loaded again, or one for the counts. */
  async refresh(): Promise<void> {
    const loaded = notificationTabs.filter((tab) => this.tabs.peek()[tab])
    await Promise.all((loaded.length > 0 ? loaded : (['mention'] as const)).map((tab) => this.request(tab, null)))
  }

  /** Removes a notification before its event arrives; the counts follow with the event. */
  remove(id: number): void {
    this.change(null, (tabs) => without(tabs, (known) => known.id === id))
  }

  private onInitial({ notifications, next, unread }: EventPayload<'initialNotifications'>): void {
    this.hasInitial = true
    const tabs: LoadedTabs = {}
    for (const tab of notificationTabs) {
      const items = notifications.filter(({ type }) => isOfTab(type, tab))
      tabs[tab] = { items, next: next[tab] ?? null }
    }
    // Pages that were requested on an earlier connection do not continue these.
    this.change(unread, () => tabs)
  }

  private async request(tab: NotificationTab, before: string | null): Promise<string | null> {
    if (this.pendingRequests++ === 0) this.changes = []
    const firstChange = this.changes.length
    const page = await this.fetchPage(tab, before)
    this.pendingRequests--
    if (!page) return NOTIFICATIONS_NOT_LOADED
    const known = this.tabs.peek()
    const paged = mergePage(known[tab] ?? null, before, { items: page.notifications, next: page.next })
    if (!paged) return null
    const tabs = { ...known, [tab]: { ...paged, items: unique(paged.items) } }
    const changed = this.changes.slice(firstChange)
    batch(() => {
      this.tabs.value = changed.reduce((result, { change }) => change(result), tabs)
      if (before === null && !changed.some(({ hasUnread }) => hasUnread)) this.unread.value = page.unread
    })
    return null
  }

  private change(unread: UnreadCounts | null, change: Change): void {
    if (this.pendingRequests > 0) this.changes.push({ change, hasUnread: unread !== null })
    batch(() => {
      this.tabs.value = change(this.tabs.peek())
      if (unread) this.unread.value = unread
    })
  }
}

function isOfTab(type: Notification['type'], tab: NotificationTab): boolean {
  return type !== 'dm' && tabOf(type) === tab
}

function update(tabs: LoadedTabs, change: (known: Notification) => Notification): LoadedTabs {
  return mapTabs(tabs, (items) => items.map(change))
}

function without(tabs: LoadedTabs, isGone: (known: Notification) => boolean): LoadedTabs {
  return mapTabs(tabs, (items) => items.filter((known) => !isGone(known)))
}

function read(tabs: LoadedTabs, isRemoved: boolean, isMeant: (known: Notification) => boolean): LoadedTabs {
  if (isRemoved) return without(tabs, isMeant)
  return update(tabs, (known) => (isMeant(known) && !known.read ? { ...known, read: true } : known))
}

/** In its place by time, in place of the same notification as it was. After the end of a part, a later page has it. */
function withNotification(tabs: LoadedTabs, notification: Notification): LoadedTabs {
  if (notification.type === 'dm') return tabs
  const tab = tabOf(notification.type)
  const known = tabs[tab]
  if (!known) return tabs
  const others = known.items.filter(({ id }) => id !== notification.id)
  const found = others.findIndex((other) => isBefore(other, notification))
  const index = found < 0 ? others.length : found
  const items = isBeyond(known.next, notification) ? others : others.toSpliced(index, 0, notification)
  return { ...tabs, [tab]: { ...known, items } }
}

/** Whether a later page has it: it is older than the cursor of the next page, `<time>-<id>`. */
function isBeyond(next: string | null, { createdAt, id }: Notification): boolean {
  const [at = 0, nextId = 0] = next?.split('-').map(Number) ?? []
  return createdAt < at || (createdAt === at && id < nextId)
}

function isBefore(a: Notification, b: Notification): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}

function mapTabs(tabs: LoadedTabs, map: (items: readonly Notification[]) => readonly Notification[]): LoadedTabs {
  const entries = Object.entries(tabs).map(([tab, loaded]) => [tab, { ...loaded, items: map(loaded.items) }])
  return Object.fromEntries(entries) as LoadedTabs // the same tabs
}

/** A notification that moved to the front may come again with a later page. */
function unique(items: readonly Notification[]): Notification[] {
  const seen = new Set<number>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}

type ShownUser = EventPayload<'userProfileUpdated'>['user']

function senderOf({ username, avatarUrl, gender, isGuest }: ShownUser, known: Notification): Partial<Notification> {
  return {
    senderUsername: username,
    senderAvatarUrl: avatarUrl,
    senderGender: gender,
    senderIsGuest: isGuest,
    messageSender: known.messageSender === null ? null : username,
  }
}
