import { randomInt } from 'node:crypto'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { conversationSide, findConversation, hasHiddenMessages } from '../../model/direct-messages/queries.ts'
import type { ContactWatch } from './contact-watch.ts'
import { readHiddenMessages } from './read-hidden-messages.ts'

/** A browser that shows a new message says that it is read after about this long. */
const MIN_DELAY_MS = 80
const MAX_DELAY_MS = 400

/** Marks messages that are hidden from a user as read for their sender, when the user has the conversation open. */
export interface HiddenReadReceipts {
  /** The user has opened a conversation. */
  noteOpened(reader: Reader, readerId: UserId, senderId: UserId): void
  close(): void
}

/** Without this, ticks that stay grey while the other answers would show a ghost-banned user the ban. */
export function createHiddenReadReceipts(
  { publisher, execute, log }: AppContext,
  isOpenFor: ContactWatch['isOpenFor'],
): HiddenReadReceipts {
  const timers = new Map<string, NodeJS.Timeout>()

  const submit = async (readerId: UserId, senderId: UserId) => {
    const outcome = await execute(readHiddenMessages, null, { readerId, senderId })
    if (outcome instanceof Refusal) log.warn({ code: outcome.body.code }, 'cannot mark hidden messages as read')
  }
  const schedule = (readerId: UserId, senderId: UserId) => {
    const key = `${readerId}<${senderId}`
    if (timers.has(key)) return
    const run = () => {
      timers.delete(key)
      submit(readerId, senderId).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot mark hidden messages as read'),
      )
    }
    timers.set(key, setTimeout(run, randomInt(MIN_DELAY_MS, MAX_DELAY_MS)).unref())
  }
  publisher.on('directMessage', ({ row, payload: { senderId, recipientId } }) => {
    if (row.audience === 'actor' && isOpenFor(recipientId, senderId)) schedule(recipientId, senderId)
  })

  return {
    noteOpened(reader, readerId, senderId) {
      const conversationId = findConversation(reader, readerId, senderId)
      if (conversationId === undefined || !hasHiddenMessages(reader, conversationId, senderId)) return
      const isUnread = (reader.get(conversationSide, { userId: readerId, conversationId })?.unreadCount ?? 0) > 0
      if (!isUnread) schedule(readerId, senderId)
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
