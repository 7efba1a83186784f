import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { UserId } from '../../shared/protocol/ids.ts'
import { keepInView, type WindowRect } from './window-rect.ts'
import { changeWindow, viewportSize } from './window-state.ts'

export type DraggedRect = ReturnType<typeof useDraggedRect>

/** The window's place while it is dragged; it is remembered when the pointer is released. */
export function useDraggedRect(id: UserId, stored: WindowRect) {
  const [rect, setRect] = useState(stored)
  const latest = useRef(rect)
  const remembered = useRef(stored)
  useEffect(() => {
    latest.current = rect
    remembered.current = stored
  })
  const save = (next: WindowRect): void => {
    setRect(next)
    changeWindow(id, { rect: next })
  }
  const followPointer = (
    event: PointerEvent<HTMLElement>,
    change: (from: WindowRect, dx: number, dy: number) => WindowRect,
  ): void => {
    if (event.button !== 0) return
    event.preventDefault()
    const { clientX, clientY, currentTarget, pointerId } = event
    const from = latest.current
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
  // A smaller screen moves a window for as long as it is that small.
  useEffect(() => {
    const refit = (): void => setRect(keepInView(remembered.current, viewportSize()))
    refit()
    addEventListener('resize', refit)
    return () => removeEventListener('resize', refit)
  }, [])
  return { rect, save, followPointer }
}
