import type { Notification, UnreadCounts } from '../../../shared/notifications/notification.ts'
import { type NotificationTab, notificationTabs, tabOf } from '../../../shared/notifications/rules.ts'
import { NOTIFICATIONS_NOT_LOADED } from '../../../shared/notifications/texts.ts'
import type { EventPayload, RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import type { EventHandlers } from '../../core/live/event-handlers.ts'
import { LiveList, type PagedItems } from '../../core/signals/live-list.ts'
import { batch, signal } from '../../core/signals/signal.ts'

type NotificationPage = RouteAnswer<'notifications'>
type LoadedTab = PagedItems<Notification, string>
type TabList = LiveList<Notification, string>
/** Requests the page of a tab at a cursor, or its first one. */
type FetchPage = (tab: NotificationTab, before: string | null) => Promise<Result<NotificationPage>>

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
  readonly lists: Readonly<Record<NotificationTab, TabList>>
  readonly unread = signal<UnreadCounts>(NO_UNREAD)
  /** The notifications after a hello have come. */
  hasInitial = false
  /** Counts the events with counts, which are newer than those of a page that is under way. */
  private unreadChanges = 0

  constructor(live: Pick<EventHandlers, 'on'>, fetchPage: FetchPage) {
    const lists = notificationTabs.map((tab) => [tab, this.createList(tab, fetchPage)])
    this.lists = Object.fromEntries(lists) as Record<NotificationTab, TabList> // one for each tab
    live.on('initialNotifications', (initial) => this.onInitial(initial))
    live.on('newNotification', ({ unread, removedId, ...notification }) =>
      this.change(unread, (list, tab) =>
        withNotification(
          without(list, ({ id }) => id === removedId),
          notification,
          tab,
        ),
      ),
    )
    live.on('removeNotification', ({ unread, type, requestId }) =>
      this.change(unread, (list) => without(list, (known) => known.type === type && known.requestId === requestId)),
    )
    live.on('notificationsRead', ({ unread, notificationIds, isRemoved }) =>
      this.change(unread, (list) => read(list, isRemoved, ({ id }) => notificationIds.includes(id))),
    )
    live.on('notificationTabRead', ({ unread, tab, upTo, isRemoved }) =>
      this.change(unread, (list, ofTab) =>
        ofTab === tab ? read(list, isRemoved, ({ createdAt }) => createdAt <= upTo) : list,
      ),
    )
    live.on('userProfileUpdated', ({ user }) =>
      this.change(null, (list) =>
        update(list, (known) => ({
          ...known,
          ...(known.senderId === user.id && senderOf(user, known)),
          ...(known.postOwnerId === user.id && { postOwnerUsername: user.username }),
        })),
      ),
    )
    // A resync is no hello, so no list follows it.
    live.on('resync', () => void this.reload())
  }

  /** Loads the tabs that are loaded again, or one for the counts. */
  async reload(): Promise<void> {
    const lists = Object.values(this.lists)
    if (!lists.some(({ list }) => list.peek())) await this.lists.mention.load(null)
    else await Promise.all(lists.map((list) => list.reload()))
  }

  /** Removes a notification before its event arrives; the counts follow with the event. */
  remove(id: number): void {
    this.change(null, (list) => without(list, (known) => known.id === id))
  }

  /** The viewer has signed out. */
  clear(): void {
    for (const list of Object.values(this.lists)) list.reset()
    this.setUnread(NO_UNREAD)
  }

  private createList(tab: NotificationTab, fetchPage: FetchPage): TabList {
    return new LiveList<Notification, string>({
      isLoadedOnce: true,
      failureText: () => NOTIFICATIONS_NOT_LOADED,
      fetchPage: async (before) => {
        const { unreadChanges } = this
        const page = await fetchPage(tab, before)
        if (isFailure(page)) return page
        if (before === null && unreadChanges === this.unreadChanges) this.unread.value = page.unread
        return { items: page.notifications, next: page.next }
      },
    })
  }

  private onInitial({ notifications, next, unread }: EventPayload<'initialNotifications'>): void {
    this.hasInitial = true
    batch(() => {
      for (const tab of notificationTabs) {
        const items = notifications.filter(({ type }) => isOfTab(type, tab))
        // Pages that were requested on an earlier connection do not continue these.
        this.lists[tab].reset({ items, next: next[tab] ?? null })
      }
      this.setUnread(unread)
    })
  }

  private change(unread: UnreadCounts | null, change: (list: LoadedTab, tab: NotificationTab) => LoadedTab): void {
    batch(() => {
      for (const tab of notificationTabs) this.lists[tab].change((list) => change(list, tab))
      if (unread) this.setUnread(unread)
    })
  }

  private setUnread(unread: UnreadCounts): void {
    this.unreadChanges++
    this.unread.value = unread
  }
}

function isOfTab(type: Notification['type'], tab: NotificationTab): boolean {
  return type !== 'dm' && tabOf(type) === tab
}

function update(list: LoadedTab, change: (known: Notification) => Notification): LoadedTab {
  return { ...list, items: list.items.map(change) }
}

function without(list: LoadedTab, isGone: (known: Notification) => boolean): LoadedTab {
  return { ...list, items: list.items.filter((known) => !isGone(known)) }
}

function read(list: LoadedTab, isRemoved: boolean, isMeant: (known: Notification) => boolean): LoadedTab {
  if (isRemoved) return without(list, isMeant)
  return update(list, (known) => (isMeant(known) && !known.read ? { ...known, read: true } : known))
}

/** In its place by time, in place of the same notification as it was. After the end of a part, a later page has it. */
function withNotification(list: LoadedTab, notification: Notification, tab: NotificationTab): LoadedTab {
  if (!isOfTab(notification.type, tab)) return list
  const others = list.items.filter(({ id }) => id !== notification.id)
  const found = others.findIndex((other) => isBefore(other, notification))
  const index = found < 0 ? others.length : found
  const items = isBeyond(list.next, notification) ? others : others.toSpliced(index, 0, notification)
  return { ...list, items }
}

/** Whether a later page has it: it is older than the cursor of the next page, `<time>-<id>`. */
function isBeyond(next: string | null, { createdAt, id }: Notification): boolean {
  const [at = 0, nextId = 0] = next?.split('-').map(Number) ?? []
  return createdAt < at || (createdAt === at && id < nextId)
}

function isBefore(a: Notification, b: Notification): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
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
