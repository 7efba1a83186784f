import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import type { Conversation } from '../conversation.ts'
import type { MessageStore } from '../store/message-store.ts'
import type { Bubble } from '../store/message-types.ts'
import { advanceReadState, initialReadState, onOwnMessage, type ReadState, type ScrollPosition } from './read-state.ts'
import { unreadInThread } from './unread-in-thread.ts'

interface ThreadEnd {
  /** The thread's messages up to the latest one. */
  bubbles: readonly Bubble[]
  /** The thread shows older messages, and those between them and its end are not loaded. */
  hasGap: boolean
}

interface ScrollAnchor {
  scroller: RefObject<HTMLDivElement | null>
  readState: ReadState
  isAtEnd: boolean
  scrollToEnd: () => void
}

type Scroller = RefObject<HTMLDivElement | null>
type Anchor = RefObject<VisibleBubble | null>

/** A reader this near to the end counts as at the end. */
const AT_END_TOLERANCE_PX = 40

/**
 * Keeps the reader's scroll position. The scroller is a reversed column: its end is at 0, above is negative, and the
 * browser itself stays at the end while the thread grows. For a reader further up, the view is held in place.
 */
export function useScrollAnchor(conversation: Conversation, { bubbles, hasGap }: ThreadEnd): ScrollAnchor {
  const { store } = conversation
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => conversation.scrollToUnread?.(scroller.current), [conversation])
  const anchor = useHeldScrollPosition(scroller, hasGap, store)
  const isAtEnd = useIsAtEnd(scroller, hasGap, store, !conversation.getReadState)
  const isVisible = useIsTabVisible()
  const readState = useReadState(bubbles, { isFollowing: isAtEnd && isVisible, hasGap }, scroller, anchor, conversation)
  useLayoutEffect(() => {
    if (conversation.showsUnreadInTitle) unreadInThread.value = isVisible ? 0 : readState.unreadCount
  })
  const scrollToEnd = useCallback(() => {
    store.leaveScrollback()
    // At once: in a busy thread a smooth scroll would never arrive.
    scroller.current?.scrollTo({ top: 0 })
    // The clicked button disappears.
    scroller.current?.focus({ preventScroll: true })
  }, [store])
  return { scroller, readState, isAtEnd, scrollToEnd }
}

function useReadState(
  bubbles: readonly Bubble[],
  position: ScrollPosition,
  scroller: Scroller,
  anchor: Anchor,
  conversation: Conversation,
): ReadState {
  const [stored, setReadState] = useState(() => conversation.getReadState?.() ?? initialReadState(bubbles))
  const readState = advanceReadState(stored, bubbles, position)
  if (readState !== stored) setReadState(readState)

  const last = bubbles.at(-1)
  const ownKey = last?.isOwn && last.id === null ? last.key : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for a new message of the viewer
  useLayoutEffect(() => {
    if (ownKey === null) return
    setReadState((before) => onOwnMessage(before, bubbles))
    // The redraw for the state above comes before the scroll event, and would scroll back.
    anchor.current = null
    scroller.current?.scrollTo({ top: 0 })
  }, [ownKey])

  return readState
}

/** The bottom of the scroller is the end of the thread, unless the thread shows older messages apart from its end. */
function useIsAtEnd(scroller: Scroller, hasGap: boolean, store: MessageStore, initial: boolean): boolean {
  const [isAtEnd, setAtEnd] = useState(initial)
  const wasAtEnd = useRef(true)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const update = (): void => {
      const isNowAtEnd = !hasGap && current.scrollTop > -AT_END_TOLERANCE_PX
      setAtEnd(isNowAtEnd)
      if (isNowAtEnd === wasAtEnd.current) return
      wasAtEnd.current = isNowAtEnd
      if (isNowAtEnd) store.leaveScrollback()
      else store.enterScrollback()
    }
    update()
    current.addEventListener('scroll', update, { passive: true })
    return () => current.removeEventListener('scroll', update)
  }, [scroller, hasGap, store])
  return isAtEnd
}

function useIsTabVisible(): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    const update = (): void => setVisible(document.visibilityState === 'visible')
    update()
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isVisible
}

/** Notes the lowest bubble in view before a redraw, and scrolls to where it is after it. Returns the noted one. */
function useHeldScrollPosition(scroller: Scroller, hasGap: boolean, store: MessageStore): Anchor {
  const anchor = useRef<VisibleBubble | null>(null)
  const followedTo = useRef<number | null>(null)

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const note = (): void => {
      const isAtEnd = !hasGap && current.scrollTop > -AT_END_TOLERANCE_PX
      // The scroller rounds: noting the position after each own step would add the errors up.
      if (!isAtEnd && current.scrollTop === followedTo.current) return
      followedTo.current = null
      anchor.current = isAtEnd ? null : findLowestVisible(current)
      if (anchor.current) store.setAnchor(anchor.current.id)
    }
    note()
    current.addEventListener('scroll', note, { passive: true })
    return () => current.removeEventListener('scroll', note)
  }, [scroller, hasGap, store])

  // After every redraw: the unread divider moves bubbles too.
  useLayoutEffect(() => {
    const { current } = scroller
    const element = anchor.current && current?.querySelector(`[data-key="${anchor.current.key}"]`)
    if (!current || !anchor.current || !element) return
    current.scrollTop += element.getBoundingClientRect().top - anchor.current.top
    followedTo.current = current.scrollTop
  })
  return anchor
}

interface VisibleBubble {
  key: string
  id: MessageId
  top: number
}

function findLowestVisible(scroller: HTMLElement): VisibleBubble | null {
  const bottom = scroller.getBoundingClientRect().bottom
  const elements = [...scroller.querySelectorAll<HTMLElement>('[data-key]')]
  const lowest = elements.findLast((element) => element.getBoundingClientRect().top < bottom)
  if (!lowest) return null
  const { key = '', id } = lowest.dataset
  // An unsent message comes after all others.
  return { key, id: Number(id ?? Number.MAX_SAFE_INTEGER), top: lowest.getBoundingClientRect().top }
}
