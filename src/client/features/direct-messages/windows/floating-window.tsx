import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { arrowStep, viewportSize } from '../../../core/ui/windows/floating-rect.ts'
import { type DraggedRect, useDraggedRect } from '../../../core/ui/windows/use-dragged-rect.ts'
import { ConversationPane } from '../conversation-pane.tsx'
import { MinimiseIcon, RestoreIcon } from '../icons.tsx'
import { onUnhandledEscape } from './unhandled-escape.ts'
import { keepInView, moveRect, type ResizeSides, resizeRect } from './window-rect.ts'
import { changeWindow, closeWindow, type DirectWindow, raiseWindow } from './window-state.ts'

const handles: Record<string, ResizeSides> = {
  n: { horizontal: 0, vertical: -1 },
  s: { horizontal: 0, vertical: 1 },
  w: { horizontal: -1, vertical: 0 },
  e: { horizontal: 1, vertical: 0 },
  nw: { horizontal: -1, vertical: -1 },
  ne: { horizontal: 1, vertical: -1 },
  sw: { horizontal: -1, vertical: 1 },
}
const CORNER: ResizeSides = { horizontal: 1, vertical: 1 }

/** A window that can be moved and resized by pointer and by keyboard. */
export function FloatingWindow({
  window: { user, rect: stored, isMinimised, rank },
}: {
  window: DirectWindow
}): ReactNode {
  const { rect, save, followPointer } = useDraggedRect({
    stored,
    store: (next) => changeWindow(user.id, { rect: next }),
    fit: (next) => keepInView(next, viewportSize()),
  })
  const close = (): void => closeWindow(user.id)
  const startMove = (event: PointerEvent<HTMLElement>): void => {
    const isControl = event.target instanceof Element && event.target.closest('button, [data-person]')
    if (!isControl && !isMinimised && event.target instanceof Element && event.target.closest('.direct-head'))
      followPointer(event, (from, dx, dy) => moveRect(from, dx, dy, viewportSize()))
  }
  const place = { left: rect.x, width: rect.width, zIndex: rank }
  return (
    <section
      className="direct-window"
      role="dialog"
      aria-labelledby={`direct-title-${user.id}`}
      data-minimised={isMinimised}
      style={isMinimised ? place : { ...place, top: rect.y, height: rect.height }}
      onKeyDown={({ nativeEvent }) => onUnhandledEscape(nativeEvent, close)}
      onPointerDownCapture={() => raiseWindow(user.id)}
      onFocusCapture={() => raiseWindow(user.id)}
      onPointerDown={startMove}
    >
      <ConversationPane user={user} isMinimised={isMinimised} onClose={close}>
        <button
          type="button"
          className="icon-button"
          aria-label={isMinimised ? 'Büyüt' : 'Küçült'}
          onClick={() => changeWindow(user.id, { isMinimised: !isMinimised })}
        >
          {isMinimised ? <RestoreIcon /> : <MinimiseIcon />}
        </button>
      </ConversationPane>
      {!isMinimised && <ResizeHandles rect={rect} save={save} followPointer={followPointer} />}
    </section>
  )
}

/** The edges and corners that resize a window; one corner takes the arrow keys, with Shift to move. */
function ResizeHandles({ rect, save, followPointer }: Pick<DraggedRect, 'rect' | 'save' | 'followPointer'>): ReactNode {
  const resize = (sides: ResizeSides) => (event: PointerEvent<HTMLElement>) =>
    followPointer(event, (from, dx, dy) => resizeRect(from, sides, dx, dy))
  const resizeByKey = (event: KeyboardEvent): void => {
    const step = arrowStep(event.key)
    if (!step) return
    event.preventDefault()
    const [dx, dy] = step
    save(event.shiftKey ? moveRect(rect, dx, dy, viewportSize()) : resizeRect(rect, CORNER, dx, dy))
  }
  return (
    <>
      {Object.entries(handles).map(([side, sides]) => (
        <span key={side} className="direct-edge" data-edge={side} onPointerDown={resize(sides)} />
      ))}
      <button
        type="button"
        className="direct-edge"
        data-edge="se"
        aria-label="Boyutlandır: ok tuşları; taşı: Shift ve ok tuşları"
        onPointerDown={resize(CORNER)}
        onKeyDown={resizeByKey}
      />
    </>
  )
}
