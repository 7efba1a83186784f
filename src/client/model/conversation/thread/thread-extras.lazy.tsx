import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { DownIcon } from '../../../core/ui/icons.tsx'
import type { Conversation } from '../conversation.ts'
import { useConversation } from '../conversation-context.ts'
import { MessageMenu } from '../message-menu/message-menu.tsx'
import { historyLoaderOf } from '../store/history-loader.ts'
import { isShown } from '../store/history-pages.ts'
import type { Bubble } from '../store/message-types.ts'
import { enableLogNavigation, isNavigatedByKeys } from './log-navigation.ts'
import { scrollToMessage } from './scroll-to-message.ts'
import { trackSwipe } from './swipe.ts'
import './thread-extras.css'
import { withUsers } from '../store/merge-messages.ts'

/** Messages that come within this time of each other are a burst: about the duration of the animation. */
export const BURST_MS = 250

// The parts of a thread that load after it is drawn: older messages, the way back, and the actions on messages.

/** The actions on the messages of a thread. */
export function ThreadMenu({ thread }: { thread: RefObject<HTMLElement | null> }): ReactNode {
  return <MessageMenu thread={thread} />
}

interface LoadMoreProps {
  side: 'older' | 'newer'
  /** Whether it loads when it nears the view; otherwise a button loads it. */
  isAuto: boolean
}

const LOAD_LABELS = { older: 'Daha eski mesajlar', newer: 'Daha yeni mesajlar' } as const

/** Loading begins this far outside the view, so that a reader seldom waits. */
const LOAD_AHEAD_MARGIN = '600px 0px'

/** The edge of the loaded messages. Each loaded page replaces it by a new one. */
export function LoadMore({ side, isAuto }: LoadMoreProps): ReactNode {
  const historyLoader = historyLoaderOf(useConversation())
  const edge = useRef<HTMLDivElement>(null)
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // While keys move the focus only Enter loads: otherwise the focus would never reach the edge.
  const isByKeys = useSignalValue(isNavigatedByKeys, false)
  const waits = isAuto && !isByKeys && !isLoading && failure === null

  useEffect(() => {
    if (!waits || !edge.current) return
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void load()
      },
      { root: edge.current.closest('.thread'), rootMargin: LOAD_AHEAD_MARGIN },
    )
    near.observe(edge.current)
    return () => near.disconnect()
  })

  const load = async (): Promise<void> => {
    setLoading(true)
    setFailure(side === 'older' ? await historyLoader.loadOlder() : await historyLoader.loadNewer())
    setLoading(false)
  }
  const press = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // The clicked button disappears.
    currentTarget.closest<HTMLElement>('.thread')?.focus({ preventScroll: true })
    void load()
  }

  return (
    <div ref={edge} className="load-more" data-side={side}>
      {failure !== null && <p role="alert">{failure}</p>}
      {isLoading || waits ? (
        <span className="spinner" role="status" aria-label="Mesajlar yükleniyor..." />
      ) : (
        <button type="button" className="link-button" onClick={press}>
          {failure === null ? LOAD_LABELS[side] : 'Tekrar dene'}
        </button>
      )}
    </div>
  )
}

/** Leads back to the end of the thread, and says how many messages came there meanwhile. */
export function ToEndButton({ unreadCount, onPress }: { unreadCount: number; onPress: () => void }): ReactNode {
  return (
    <button type="button" className="to-end" onClick={onPress}>
      <DownIcon size={18} />
      {unreadCount > 0 ? `${countText(unreadCount)} yeni mesaj` : <span className="visually-hidden">En alta in</span>}
    </button>
  )
}

/** A click in a thread: on a message's reply button, on a quote, which leads to its original, or on a failed message. */
export function handleThreadClick(thread: HTMLElement, conversation: Conversation, target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  const row = target.closest<HTMLElement>('.bubble-row')
  if (target.closest('.bubble-reply')) startReply(conversation, findBubble(conversation, Number(row?.dataset.id)))
  const action = target.closest<HTMLElement>('[data-action]')?.dataset.action
  if (action === 'retry' || action === 'discard') {
    // The clicked button disappears, so the focus goes to the thread.
    thread.focus({ preventScroll: true })
    conversation[action](row?.dataset.key ?? '')
  }
  const quote = target.closest<HTMLElement>('[data-jump]')
  if (quote) void showOriginal(thread, conversation, Number(quote.dataset.jump))
}

/** Starts replies by swipes, moves the focus by keys, animates new messages, and restores messages that are no longer hidden from the viewer. */
export function enableMessageActions(thread: HTMLElement, conversation: Conversation, ended: AbortSignal): void {
  const findMessage = (id: MessageId) => findBubble(conversation, id)
  trackSwipe(thread, { findMessage, reply: (message) => startReply(conversation, message) }, ended)
  animateSingleArrivals(thread, ended)
  enableLogNavigation(thread, conversation, ended)
  const loader = historyLoaderOf(conversation)
  const stops = [
    trackReply(conversation),
    conversation.addListener({ onUnhidden: () => void loader.restoreUnblocked() }),
  ]
  ended.addEventListener('abort', () => stops.forEach((stop) => void stop()))
}

/** Loads a message that is not loaded, with those around it, and scrolls to it. */
async function showOriginal(thread: HTMLElement, conversation: Conversation, messageId: MessageId): Promise<void> {
  const isFar = !isShown(conversation.store, messageId)
  const failure = await historyLoaderOf(conversation).loadAround(messageId)
  if (failure !== null) return toast(failure, 'error')
  // After React has drawn the thread.
  requestAnimationFrame(() => scrollToMessage(thread, messageId, isFar))
}

function findBubble({ bubbles }: Conversation, messageId: MessageId): Bubble | null {
  return bubbles.peek().find(({ id }) => id === messageId) ?? null
}

function startReply({ replyingTo }: Conversation, message: Bubble | null): void {
  if (!message?.isRemoved) replyingTo.value = message
}

/** Cancels a reply when its original is removed. Returns the function that stops this. */
export function trackReply(conversation: Conversation): () => void {
  const { replyingTo } = conversation
  const cancelIf = (isGone: (bubble: Bubble) => boolean): void => {
    const { value } = replyingTo
    if (value && isGone(value)) replyingTo.value = null
  }
  return conversation.addListener({
    onRemoved: (senderId) => cancelIf(({ sender }) => senderId === null || sender.id === senderId),
    // A removal may be among the missed events.
    onReloaded: (messages) => cancelIf(({ id }) => messages.every((message) => message.id !== id)),
    onUsersUpdated: (users) => {
      const { value } = replyingTo
      if (value) replyingTo.value = withUsers(value, new Map(users.map((user) => [user.id, user])))
    },
  })
}

/** Finds out whether messages come alone or in a burst. */
export class BurstDetector {
  private lastArrivalAt = Number.NEGATIVE_INFINITY

  /** Whether no other message comes together with this one or shortly before it. `now` is in milliseconds. */
  isSingle(count: number, now: number): boolean {
    const isSingle = count === 1 && now - this.lastArrivalAt >= BURST_MS
    this.lastArrivalAt = now
    return isSingle
  }
}

/**
 * Animates a message that comes alone at the end of a thread. A burst is shown at once: every running animation is a
 * compositor layer, and the messages move on before it ends.
 */
function animateSingleArrivals(thread: HTMLElement, ended: AbortSignal): void {
  const bursts = new BurstDetector()
  // Its callback runs before the next paint.
  const observer = new MutationObserver((records) => {
    const rows = records.flatMap(addedRows)
    const [row] = rows
    if (!row || !bursts.isSingle(rows.length, performance.now()) || thread.dataset.end === 'false') return
    if (row === [...thread.querySelectorAll('.bubble-row')].at(-1)) row.dataset.fresh = ''
  })
  observer.observe(thread, { childList: true, subtree: true })
  ended.addEventListener('abort', () => observer.disconnect())
}

function addedRows({ addedNodes }: MutationRecord): HTMLElement[] {
  return [...addedNodes].flatMap((node) => {
    if (!(node instanceof HTMLElement)) return []
    return node.matches('.bubble-row') ? [node] : [...node.querySelectorAll<HTMLElement>('.bubble-row')]
  })
}
