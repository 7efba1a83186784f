import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { callTexts, callTypeNames } from '../../shared/calls/window-texts.ts'
import { arrowStep, moveInside, viewportSize, type WindowRect } from '../ui/windows/floating-rect.ts'
import { useDraggedRect } from '../ui/windows/use-dragged-rect.ts'
import { useSignalValue } from '../use-signal-value.ts'
import type { Call } from './call-store.ts'
import { CallView } from './call-view.tsx'
import { isCallEnlarged, restoreBoxRect, storeBoxRect } from './call-window-state.ts'
import { EnlargeIcon, GripIcon, ShrinkIcon } from './icons.tsx'
import { useCallFocus } from './use-call-focus.ts'

/** With Shift, an arrow key moves the box by so many steps. */
const SHIFT_STEPS = 5

/** The call of a desktop: a box that is dragged, or moved with the arrow keys, and never leaves the viewport. */
export function CallBox({ call }: { call: Call }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const { rect, followPointer, moveByKey } = useBoxPlace(box)
  useCallFocus(box)
  const startMove = (event: PointerEvent<HTMLElement>): void => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('button:not(.call-grip), select, a')) return
    if (target.closest('.call-head'))
      followPointer(event, (from, dx, dy) => ({ ...from, x: from.x + dx, y: from.y + dy }))
  }
  return (
    <section
      ref={box}
      className="call-box"
      role={call.phase === 'incoming' ? 'alertdialog' : 'dialog'}
      aria-label={callTypeNames[call.callType]}
      aria-describedby="call-name call-status"
      aria-keyshortcuts="F8"
      tabIndex={-1}
      style={{ left: rect.x, top: rect.y }}
      onPointerDown={startMove}
    >
      <CallView call={call} frame="box" sizeButton={<EnlargeButton />}>
        <button type="button" className="icon-button call-grip" aria-label={callTexts.move} onKeyDown={moveByKey}>
          <GripIcon />
        </button>
      </CallView>
    </section>
  )
}

/** Where the box is; it stays inside when it grows, and when the viewport shrinks. */
function useBoxPlace(box: { current: HTMLElement | null }) {
  const stored = useRef<WindowRect>(null)
  stored.current ??= restoreBoxRect(viewportSize())
  const keepInside = (rect: WindowRect): WindowRect => {
    const { offsetWidth, offsetHeight } = box.current ?? {}
    return moveInside(
      { ...rect, width: offsetWidth ?? rect.width, height: offsetHeight ?? rect.height },
      viewportSize(),
    )
  }
  const store = (rect: WindowRect): void => {
    stored.current = rect
    storeBoxRect(rect)
  }
  const { rect, save, followPointer, refit } = useDraggedRect({ stored: stored.current, store, fit: keepInside })
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(refit)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, refit])
  const moveByKey = (event: KeyboardEvent): void => {
    const step = arrowStep(event.key)
    if (!step) return
    event.preventDefault()
    const steps = event.shiftKey ? SHIFT_STEPS : 1
    save(keepInside({ ...rect, x: rect.x + step[0] * steps, y: rect.y + step[1] * steps }))
  }
  const follow: typeof followPointer = (event, change) =>
    followPointer(event, (from, dx, dy) => keepInside(change(from, dx, dy)))
  return { rect, followPointer: follow, moveByKey }
}

/** Makes the box larger, for pictures. */
function EnlargeButton(): ReactNode {
  const isEnlarged = useSignalValue(isCallEnlarged, false)
  const toggle = (): void => {
    isCallEnlarged.value = !isEnlarged
  }
  const label = isEnlarged ? callTexts.shrink : callTexts.enlarge
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={toggle}>
      {isEnlarged ? <ShrinkIcon /> : <EnlargeIcon />}
    </button>
  )
}
