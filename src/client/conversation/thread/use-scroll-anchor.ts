import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble } from '../../room-chat/state.ts'
import { advanceReadState, initialReadState, onOwnMessage, type ReadState } from './read-state.ts'

interface ScrollAnchorOptions {
  /** The thread's messages up to the latest one. */
  bubbles: readonly Bubble[]
  /** The thread shows an earlier part of itself, with messages missing between that and its end. */
  hasGap: boolean
  /** Called when the reader leaves the end of the thread for what is above. */
  onLeaveEnd: () => void
  /** Called with the lowest message in view when the reader, further up, moves. */
  onAnchorMove: (id: number) => void
  /** Called when the reader comes to the end of the thread. */
  onEnd: () => void
}

interface ScrollAnchor {
  scroller: RefObject<HTMLDivElement | null>
  readState: ReadState
  isAtEnd: boolean
  scrollToEnd: () => void
}

/** This near to the end still counts as there. */
const AT_END_TOLERANCE_PX = 40

/**
 * Keeps a thread where its reader is. The scroller is a reversed column, so its end is at 0, above is negative, and
 * the browser itself stays at the end while the thread grows. For a reader further up, what is in view is held in place.
 */
export function useScrollAnchor({
  bubbles,
  hasGap,
  onLeaveEnd,
  onAnchorMove,
  onEnd,
}: ScrollAnchorOptions): ScrollAnchor {
  const scroller = useRef<HTMLDivElement>(null)
  useHeldScrollPosition(scroller, hasGap, onAnchorMove)
  const isAtEnd = useIsAtEnd(scroller, { hasGap: hasGap, onLeaveEnd: onLeaveEnd, onEnd })
  const isInFront = useIsTabVisible()
  const goToEnd = useCallback(() => {
    onEnd()
    // At once: while others talk, a way that takes time would go on for ever.
    scroller.current?.scrollTo({ top: 0 })
    // The button that was pressed goes away.
    scroller.current?.focus({ preventScroll: true })
  }, [onEnd])

  const [kept, setReading] = useState(() => initialReadState(bubbles))
  const reading = advanceReadState(kept, bubbles, { isFollowing: isAtEnd && isInFront, hasGap: hasGap })
  if (reading !== kept) setReading(reading)

  const last = bubbles.at(-1)
  const ownKey = last?.isOwn && last.id === null ? last.key : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something new was said by the reader
  useLayoutEffect(() => {
    if (ownKey === null) return
    setReading((before) => onOwnMessage(before, bubbles))
    scroller.current?.scrollTo({ top: 0 })
  }, [ownKey])

  useUnreadTitle(isInFront ? 0 : reading.unreadCount)
  return { scroller, readState: reading, isAtEnd, scrollToEnd: goToEnd }
}

/** The bottom of the scroller is the end of the thread unless the thread shows an earlier part, apart from its end. */
function useIsAtEnd(
  scroller: RefObject<HTMLDivElement | null>,
  { hasGap, onLeaveEnd, onEnd }: Omit<ScrollAnchorOptions, 'bubbles' | 'onAnchorMove'>,
): boolean {
  const [isAtEnd, setAtEnd] = useState(true)
  const was = useRef(true)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const look = (): void => {
      const is = !hasGap && current.scrollTop > -AT_END_TOLERANCE_PX
      setAtEnd(is)
      if (is && !was.current) onEnd()
      if (!is && was.current) onLeaveEnd()
      was.current = is
    }
    look()
    current.addEventListener('scroll', look, { passive: true })
    return () => current.removeEventListener('scroll', look)
  }, [scroller, hasGap, onLeaveEnd, onEnd])
  return isAtEnd
}

function useIsTabVisible(): boolean {
  const [isInFront, setInFront] = useState(true)
  useEffect(() => {
    const look = (): void => setInFront(document.visibilityState === 'visible')
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isInFront
}

/** Before a redraw the lowest bubble in view is noted; after it the scroller follows to where that bubble went. */
function useHeldScrollPosition(
  scroller: RefObject<HTMLDivElement | null>,
  isApart: boolean,
  onMove: (id: number) => void,
): void {
  const held = useRef<VisibleBubble | null>(null)
  const followedTo = useRef<number | null>(null)

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const note = (): void => {
      const isAtEnd = !isApart && current.scrollTop > -AT_END_TOLERANCE_PX
      // Noted after every step of our own, what the scroller rounds would add up.
      if (!isAtEnd && current.scrollTop === followedTo.current) return
      followedTo.current = null
      held.current = isAtEnd ? null : findLowestVisible(current)
      if (held.current) onMove(held.current.id)
    }
    note()
    current.addEventListener('scroll', note, { passive: true })
    return () => current.removeEventListener('scroll', note)
  }, [scroller, isApart, onMove])

  // After every redraw: the line of new messages moves things too.
  useLayoutEffect(() => {
    const { current } = scroller
    const element = held.current && current?.querySelector(`[data-key="${held.current.key}"]`)
    if (!current || !held.current || !element) return
    current.scrollTop += element.getBoundingClientRect().top - held.current.top
    followedTo.current = current.scrollTop
  })
}

interface VisibleBubble {
  key: string
  id: number
  top: number
}

function findLowestVisible(scroller: HTMLElement): VisibleBubble | null {
  const bottom = scroller.getBoundingClientRect().bottom
  const elements = [...scroller.querySelectorAll<HTMLElement>('[data-key]')]
  const lowest = elements.findLast((element) => element.getBoundingClientRect().top < bottom)
  if (!lowest) return null
  const { key = '', id } = lowest.dataset
  // One's own that was not sent yet comes after all others.
  return { key, id: Number(id ?? Number.MAX_SAFE_INTEGER), top: lowest.getBoundingClientRect().top }
}

/** Tells in the tab's title how many messages wait. */
function useUnreadTitle(count: number): void {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }, [count])
}
