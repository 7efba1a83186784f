import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble } from './state.ts'
import { answered, type Reading, readOn, startReading } from './unread.ts'

interface Read {
  /** The thread's messages up to the latest one. */
  bubbles: readonly Bubble[]
  /** The thread shows an earlier part of itself, with messages missing between that and its end. */
  isApart: boolean
  /** Called when the reader leaves the end of the thread for what is above. */
  onLeave: () => void
  /** Called with the lowest message in view when the reader, further up, moves. */
  onMove: (id: number) => void
  /** Called when the reader comes to the end of the thread. */
  onEnd: () => void
}

interface ReadingOfThread {
  scroller: RefObject<HTMLDivElement | null>
  reading: Reading
  isAtEnd: boolean
  goToEnd: () => void
}

/** This near to the end still counts as there. */
const END_PX = 40

/**
 * Keeps a thread where its reader is. The scroller is a reversed column, so its end is at 0, above is negative, and
 * the browser itself stays at the end while the thread grows. For a reader further up, what is in view is held in place.
 */
export function useReading({ bubbles, isApart, onLeave, onMove, onEnd }: Read): ReadingOfThread {
  const scroller = useRef<HTMLDivElement>(null)
  useHeldInPlace(scroller, isApart, onMove)
  const isAtEnd = useIsAtEnd(scroller, { isApart, onLeave, onEnd })
  const isInFront = useIsInFront()
  const goToEnd = useCallback(() => {
    onEnd()
    // At once: while others talk, a way that takes time would go on for ever.
    scroller.current?.scrollTo({ top: 0 })
    // The button that was pressed goes away.
    scroller.current?.focus({ preventScroll: true })
  }, [onEnd])

  const [kept, setReading] = useState(() => startReading(bubbles))
  const reading = readOn(kept, bubbles, { isLooking: isAtEnd && isInFront, isApart })
  if (reading !== kept) setReading(reading)

  const last = bubbles.at(-1)
  const ownKey = last?.isOwn && last.id === null ? last.key : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something new was said by the reader
  useLayoutEffect(() => {
    if (ownKey === null) return
    setReading((before) => answered(before, bubbles))
    scroller.current?.scrollTo({ top: 0 })
  }, [ownKey])

  useTitleCount(isInFront ? 0 : reading.unread)
  return { scroller, reading, isAtEnd, goToEnd }
}

/** The bottom of the scroller is the end of the thread unless the thread shows an earlier part, apart from its end. */
function useIsAtEnd(
  scroller: RefObject<HTMLDivElement | null>,
  { isApart, onLeave, onEnd }: Omit<Read, 'bubbles' | 'onMove'>,
): boolean {
  const [isAtEnd, setAtEnd] = useState(true)
  const was = useRef(true)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const look = (): void => {
      const is = !isApart && current.scrollTop > -END_PX
      setAtEnd(is)
      if (is && !was.current) onEnd()
      if (!is && was.current) onLeave()
      was.current = is
    }
    look()
    current.addEventListener('scroll', look, { passive: true })
    return () => current.removeEventListener('scroll', look)
  }, [scroller, isApart, onLeave, onEnd])
  return isAtEnd
}

function useIsInFront(): boolean {
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
function useHeldInPlace(
  scroller: RefObject<HTMLDivElement | null>,
  isApart: boolean,
  onMove: (id: number) => void,
): void {
  const held = useRef<InView | null>(null)
  const followedTo = useRef<number | null>(null)

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const note = (): void => {
      const isAtEnd = !isApart && current.scrollTop > -END_PX
      // Noted after every step of our own, what the scroller rounds would add up.
      if (!isAtEnd && current.scrollTop === followedTo.current) return
      followedTo.current = null
      held.current = isAtEnd ? null : lowestInView(current)
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

interface InView {
  key: string
  id: number
  top: number
}

function lowestInView(scroller: HTMLElement): InView | null {
  const bottom = scroller.getBoundingClientRect().bottom
  const elements = [...scroller.querySelectorAll<HTMLElement>('[data-key]')]
  const lowest = elements.findLast((element) => element.getBoundingClientRect().top < bottom)
  if (!lowest) return null
  const { key = '', id } = lowest.dataset
  // One's own that was not sent yet comes after all others.
  return { key, id: Number(id ?? Number.MAX_SAFE_INTEGER), top: lowest.getBoundingClientRect().top }
}

/** Tells in the tab's title how many messages wait. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }, [count])
}
