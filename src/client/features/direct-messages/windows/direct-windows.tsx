import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { conversationEndedText } from '../../../../shared/direct-messages/rules.ts'
import { live } from '../../../core/live/state.ts'
import { session } from '../../../core/session/session.ts'
import { closePanel, panelState } from '../../../core/shell/panels/panel-state.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { useModal } from '../../../core/ui/dialogs/use-modal.ts'
import { mountPortal } from '../../../core/ui/mount-portal.ts'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../../../core/ui/use-media-query.ts'
import { arrowStep, FULL_SCREEN_QUERY, viewportSize } from '../../../core/ui/windows/floating-rect.ts'
import type { WindowUser } from '../../../model/direct-messages/open-window.ts'
import { ConversationPane } from '../conversation-pane.tsx'
import { directConversations } from '../state.ts'
import {
  changeWindow,
  closeWindow,
  type DirectWindow,
  directWindows,
  raiseWindow,
  restoreWindows,
  showWindow,
  updateWindowUser,
} from './window-state.ts'
import './direct-window.lazy.css'
import { type DraggedRect, useDraggedRect } from '../../../core/ui/windows/use-dragged-rect.ts'
import { MinimiseIcon, RestoreIcon } from '../icons.tsx'
import { onUnhandledEscape } from './unhandled-escape.ts'
import { keepInView, moveRect, type ResizeSides, resizeRect } from './window-rect.ts'

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

/** Opens the window of a user, or brings it to the front. */
export function openWindow(user: WindowUser): void {
  if (session.isSelf(user.id)) return
  // A panel that is a sheet would cover a floating window; a full-screen one returns to it.
  const isFloating = !matchMedia(FULL_SCREEN_QUERY).matches
  if (isFloating && panelState.peek() !== 'byWidth' && !matchMedia(WIDE_SCREEN_QUERY).matches) closePanel()
  showWindow(user)
}

function DirectWindows(): ReactNode {
  const windows = useSignalValue(directWindows, directWindows.peek())
  const isFullScreen = useMediaQuery(FULL_SCREEN_QUERY, false)
  useEffect(() => windows.forEach(({ user }) => void directConversations.openWith(user.id, user.username)), [windows])
  if (!isFullScreen) return windows.map((open) => <FloatingWindow key={open.user.id} window={open} />)
  const [top] = windows.filter(({ isMinimised }) => !isMinimised).toSorted((a, b) => b.rank - a.rank)
  return top && <FullScreenWindow key={top.user.id} window={top} />
}

/** The window of a phone. Back closes it. */
function FullScreenWindow({ window: { user } }: { window: DirectWindow }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => closeWindow(user.id)
  useModal(dialog, close)
  return (
    <dialog ref={dialog} className="direct-window" aria-labelledby={`direct-title-${user.id}`}>
      <ConversationPane user={user} onClose={close} />
    </dialog>
  )
}

/** Closes the conversations of windows that are closed. */
function closeUnshown(before: readonly DirectWindow[], now: readonly DirectWindow[]): void {
  for (const { user } of before) if (!now.some((open) => open.user.id === user.id)) directConversations.close(user.id)
}

let shown: readonly DirectWindow[] = []
directWindows.subscribe((windows) => {
  closeUnshown(shown, windows)
  shown = windows
})
session.onClear(() => {
  directWindows.value = []
})
live.on('userProfileUpdated', ({ user }) => updateWindowUser(user))
// The conversation is gone, on both sides or on another device.
live.on('dmCleared', ({ userId, username }) => {
  if (!directWindows.peek().some(({ user }) => user.id === userId)) return
  closeWindow(userId)
  void toast(conversationEndedText(username))
})

restoreWindows()
mountPortal('direct-windows', <DirectWindows />)

/** A window that can be moved and resized by pointer and by keyboard. */
function FloatingWindow({ window: { user, rect: stored, isMinimised, rank } }: { window: DirectWindow }): ReactNode {
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
