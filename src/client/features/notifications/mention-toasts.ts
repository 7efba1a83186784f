import type { Notification } from '../../../shared/notifications/notification.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { MAX_COMPOSER_QUOTE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { messageHash } from '../../../shared/room-chat/message-link.ts'
import { quoteExcerpt } from '../../../shared/room-chat/quotes.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { LinkToast } from '../../core/shell/toasts/toast.ts'
import { effect, signal } from '../../core/signals/signal.ts'
import type { NotificationStore } from './notification-store.ts'

/** Older ones beyond this have no toast any more. */
const MAX_OPEN_MENTIONS = 100

interface MentionToastsDeps {
  live: Pick<LiveClient, 'on' | 'roomId'>
  store: Pick<NotificationStore, 'lists'>
  show: (toast: LinkToast | null) => Promise<void>
  /** '' when it cannot be found out. */
  roomName: (roomId: RoomId) => Promise<string>
}

/**
 * Shows mentions in other rooms that come while the page is open: one toast at a time, for the room of the latest one,
 * until it is clicked or dismissed or its mentions are read on any device. The other rooms' toasts follow.
 */
export class MentionToasts {
  private readonly deps: MentionToastsDeps
  /** The notifications of mentions that came while the page was open and whose toast was not closed. */
  private readonly openIds = signal<ReadonlySet<number>>(new Set())
  /** The names of rooms, as long as a toast is shown: many mentions neither ask again nor wait. */
  private readonly names = new Map<RoomId, Promise<string>>()
  private hasToast = false
  private version = 0

  constructor(deps: MentionToastsDeps) {
    this.deps = deps
  }

  start(): void {
    const { live, store } = this.deps
    live.on('newNotification', ({ type, id, roomId }) => {
      if (type === 'mention' && roomId !== live.roomId)
        this.openIds.value = new Set([...this.openIds.peek(), id].slice(-MAX_OPEN_MENTIONS))
    })
    effect(() => {
      const openIds = this.openIds.value
      const mentions = store.lists.mention.list.value?.items ?? []
      void this.show(mentions.filter(({ id, read }) => !read && openIds.has(id)))
    })
  }

  /** @param mentions the latest first */
  private async show(mentions: readonly Notification[]): Promise<void> {
    const version = ++this.version
    const [latest] = mentions
    if (!latest || latest.roomId === null) return this.hide()
    const name = await this.nameOf(latest.roomId)
    if (version !== this.version) return
    this.hasToast = true
    const ids = mentions.flatMap(({ id, roomId }) => (roomId === latest.roomId ? [id] : []))
    const otherRooms = new Set(mentions.map(({ roomId }) => roomId)).size - 1
    await this.deps.show({
      title: name === '' ? 'Başka bir odada' : `#${name}`,
      text: `${isolateBidi(latest.senderUsername)} senden bahsetti: ${quoteExcerpt(latest.content, MAX_COMPOSER_QUOTE_LENGTH)}`,
      note: noteOf(ids.length, otherRooms),
      href: `/room/${latest.roomId}${latest.messageId === null ? '' : messageHash(latest.messageId)}`,
      dismissLabel: 'Bahsetmeyi gizle',
      onClose: () => this.dismiss(ids),
    })
  }

  private nameOf(roomId: RoomId): Promise<string> {
    const name = this.names.get(roomId) ?? this.deps.roomName(roomId)
    this.names.set(roomId, name)
    return name
  }

  private async hide(): Promise<void> {
    this.names.clear()
    if (!this.hasToast) return
    this.hasToast = false
    await this.deps.show(null)
  }

  private dismiss(ids: readonly number[]): void {
    this.openIds.value = new Set([...this.openIds.peek()].filter((id) => !ids.includes(id)))
  }
}

/** How many mentions the toast stands for, and in how many other rooms there are more; '' for a single one. */
function noteOf(count: number, otherRooms: number): string {
  const here = count > 1 ? `Bu odada ${count} bahsetme` : ''
  const elsewhere = otherRooms > 0 ? `${otherRooms} odada daha` : ''
  return [here, elsewhere].filter(Boolean).join(' · ')
}
