import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble } from './state.ts'
import { answered, countUnread, type Reading, readOn, startReading } from './unread.ts'

interface ReadingOfThread {
  scroller: RefObject<HTMLDivElement | null>
  reading: Reading
  unread: number
  isAtEnd: boolean
  goToEnd: () => void
}

/** This near to the end still counts as there. */
const END_PX = 40

/**
 * Keeps a thread where its reader is. The scroller is a reversed column, so its end is at 0, above is negative, and
 * the browser itself stays at the end while the thread grows. For a reader further up, what is in view is held in place.
 */
export function useReading(bubbles: readonly Bubble[]): ReadingOfThread {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useIsAtEnd(scroller)
  const isInFront = useIsInFront()
  const [reading, setReading] = useState(() => startReading(bubbles))
  const goToEnd = useCallback(() => {
    scroller.current?.scrollTo({ top: 0, behavior: isMotionReduced() ? 'auto' : 'smooth' })
    // The button that was pressed goes away.
    scroller.current?.focus({ preventScroll: true })
  }, [])

  const isLooking = isAtEnd && isInFront
  useEffect(() => setReading((before) => readOn(before, bubbles, isLooking)), [bubbles, isLooking])

  const last = bubbles.at(-1)
  const ownKey = last?.isOwn && last.id === null ? last.key : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something new was said by the reader
  useLayoutEffect(() => {
    if (ownKey === null) return
    setReading((before) => answered(before, bubbles))
    scroller.current?.scrollTo({ top: 0 })
  }, [ownKey])

  useHeldInPlace(scroller)
  const unread = countUnread(reading, bubbles)
  useTitleCount(isInFront ? 0 : unread)
  return { scroller, reading, unread, isAtEnd, goToEnd }
}

function useIsAtEnd(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [isAtEnd, setAtEnd] = useState(true)
  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const look = (): void => setAtEnd(current.scrollTop > -END_PX)
    look()
    current.addEventListener('scroll', look, { passive: true })
    return () => current.removeEventListener('scroll', look)
  }, [scroller])
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
function useHeldInPlace(scroller: RefObject<HTMLDivElement | null>): void {
  const held = useRef<{ key: string; top: number } | null>(null)

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const note = (): void => {
      held.current = current.scrollTop > -END_PX ? null : lowestInView(current)
    }
    current.addEventListener('scroll', note, { passive: true })
    return () => current.removeEventListener('scroll', note)
  }, [scroller])

  // After every redraw: the line of new messages moves things too.
  useLayoutEffect(() => {
    const { current } = scroller
    const element = held.current && current?.querySelector(`[data-key="${held.current.key}"]`)
    if (!current || !held.current || !element) return
    current.scrollTop += element.getBoundingClientRect().top - held.current.top
  })
}

function lowestInView(scroller: HTMLElement): { key: string; top: number } | null {
  const bottom = scroller.getBoundingClientRect().bottom
  const elements = [...scroller.querySelectorAll<HTMLElement>('[data-key]')]
  const lowest = elements.findLast((element) => element.getBoundingClientRect().top < bottom)
  return lowest ? { key: lowest.dataset.key ?? '', top: lowest.getBoundingClientRect().top } : null
}

function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Tells in the tab's title how many messages wait. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }, [count])
}
