import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { callTexts, callTypeNames } from '../../../../shared/calls/window-texts.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import {
  arrowStep,
  moveInside,
  type Size,
  viewportSize,
  type WindowRect,
} from '../../../core/ui/windows/floating-rect.ts'
import { useDraggedRect } from '../../../core/ui/windows/use-dragged-rect.ts'
import { EnlargeIcon, GripIcon, ShrinkIcon } from '../../../model/calls/icons.tsx'
import type { Call } from '../call-state.ts'
import { remoteNameInText, statusText } from '../call-status.ts'
import { CallView } from './call-view.tsx'
import { isCallEnlarged, resizeBox, restoreBoxRect, storeBoxRect } from './call-window-state.ts'
import { useCallFocus } from './use-call-focus.ts'

/** With Shift, an arrow key moves the box by so many steps. */
const SHIFT_STEPS = 5

/** The call of a desktop: a box that is dragged, or moved with the arrow keys, and never leaves the viewport. */
export function CallBox({ call }: { call: Call }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const { rect, drag, moveByKey } = useBoxPlace(box)
  const wasTyping = useCallFocus(box)
  const startMove = (event: PointerEvent<HTMLElement>): void => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('button:not(.call-grip), select')) return
    if (target.closest('.call-head')) drag(event)
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
      {wasTyping && call.phase === 'incoming' && (
        <p className="call-shortcut" role="alert">
          <span className="visually-hidden">{`${remoteNameInText(call)}: ${statusText(call)}`}</span>
          {callTexts.shortcutHint}
        </p>
      )}
    </section>
  )
}

/** Where the box is; it stays inside when it grows, and when the viewport shrinks. */
function useBoxPlace(box: RefObject<HTMLElement | null>) {
  const stored = useRef<WindowRect>(null)
  stored.current ??= restoreBoxRect(viewportSize())
  const sizeOf = (rect: WindowRect): Size => ({
    width: box.current?.offsetWidth ?? rect.width,
    height: box.current?.offsetHeight ?? rect.height,
  })
  const store = (rect: WindowRect): void => {
    stored.current = rect
    storeBoxRect(rect)
  }
  const { rect, save, followPointer, refit } = useDraggedRect({
    stored: stored.current,
    store,
    fit: (from) => resizeBox(from, sizeOf(from), viewportSize()),
  })
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(refit)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, refit])
  const move = (from: WindowRect, dx: number, dy: number): WindowRect =>
    moveInside({ x: from.x + dx, y: from.y + dy, ...sizeOf(from) }, viewportSize())
  const moveByKey = (event: KeyboardEvent): void => {
    const step = arrowStep(event.key)
    if (!step) return
    event.preventDefault()
    const steps = event.shiftKey ? SHIFT_STEPS : 1
    save(move(rect, step[0] * steps, step[1] * steps))
  }
  return { rect, drag: (event: PointerEvent<HTMLElement>) => followPointer(event, move), moveByKey }
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
