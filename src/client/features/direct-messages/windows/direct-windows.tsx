import { type ReactNode, useEffect, useRef } from 'react'
import { conversationEndedText } from '../../../../shared/direct-messages/rules.ts'
import { live } from '../../../core/live/state.ts'
import { session } from '../../../core/session/session.ts'
import { closePanel, panelState } from '../../../core/shell/panels/panel-state.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { useModal } from '../../../core/ui/dialogs/use-modal.ts'
import { mountPortal } from '../../../core/ui/mount-portal.ts'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../../../core/ui/use-media-query.ts'
import { FULL_SCREEN_QUERY } from '../../../core/ui/windows/floating-rect.ts'
import type { WindowUser } from '../../../model/direct-messages/open-window.ts'
import { ConversationPane } from '../conversation-pane.tsx'
import { directConversations } from '../state.ts'
import { FloatingWindow } from './floating-window.tsx'
import {
  closeWindow,
  type DirectWindow,
  directWindows,
  restoreWindows,
  showWindow,
  updateWindowUser,
} from './window-state.ts'
import './direct-window.later.css'

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
    <dialog ref={dialog} className="direct-window direct-window--full" aria-labelledby={`direct-title-${user.id}`}>
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
