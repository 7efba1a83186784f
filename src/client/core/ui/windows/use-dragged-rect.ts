import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { WindowRect } from './floating-rect.ts'

export type DraggedRect = ReturnType<typeof useDraggedRect>

interface DraggedRectOptions {
  /** The place as it was remembered. */
  stored: WindowRect
  /** Remembers a place that the user has chosen. */
  store: (rect: WindowRect) => void
  /** The place moved into the present viewport. */
  fit: (rect: WindowRect) => WindowRect
}

/** A floating window's place while it is dragged; it is remembered when the pointer is released. */
export function useDraggedRect({ stored, store, fit }: DraggedRectOptions) {
  const [rect, setRect] = useState(stored)
  const latest = useRef({ rect, stored, fit })
  useEffect(() => {
    latest.current = { rect, stored, fit }
  })
  const save = (next: WindowRect): void => {
    setRect(next)
    store(next)
  }
  const followPointer = (
    event: PointerEvent<HTMLElement>,
    change: (from: WindowRect, dx: number, dy: number) => WindowRect,
  ): void => {
    if (event.button !== 0) return
    event.preventDefault()
    const { clientX, clientY, currentTarget, pointerId } = event
    const from = latest.current.rect
    let next = from
    const ended = new AbortController()
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent): void => {
      next = change(from, x - clientX, y - clientY)
      setRect(next)
    }
    const end = (): void => {
      ended.abort()
      save(next)
    }
    // A pointer that leaves the window stays with it.
    currentTarget.setPointerCapture(pointerId)
    currentTarget.addEventListener('pointermove', move, { signal: ended.signal })
    currentTarget.addEventListener('pointerup', end, { signal: ended.signal })
    currentTarget.addEventListener('pointercancel', end, { signal: ended.signal })
  }
  const refit = useCallback((): void => setRect(latest.current.fit(latest.current.stored)), [])
  // A smaller screen moves a window for as long as it is that small.
  useEffect(() => {
    refit()
    addEventListener('resize', refit)
    return () => removeEventListener('resize', refit)
  }, [refit])
  return { rect, save, followPointer, refit }
}
