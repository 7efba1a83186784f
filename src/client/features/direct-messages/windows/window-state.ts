import type { UserId } from '../../../../shared/protocol/ids.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { session } from '../../../core/session/session.ts'
import { signal } from '../../../core/signals/signal.ts'
import { FULL_SCREEN_QUERY, viewportSize, type WindowRect } from '../../../core/ui/windows/floating-rect.ts'
import type { WindowUser } from '../../../model/direct-messages/open-window.ts'
import { initialRect } from './window-rect.ts'
import { WINDOWS_KEY } from './window-storage.ts'

export interface DirectWindow {
  user: WindowUser
  rect: WindowRect
  isMinimised: boolean
  /** The window with the highest rank is on top. */
  rank: number
}

/** Opening more closes the one that was used longest ago. */
const MAX_WINDOWS = 6
/** The open windows, in the order in which they were opened; remembered on this device. */
export const directWindows = signal<readonly DirectWindow[]>([])

/** Restores the windows of the last visit; those of another user are dropped. */
export function restoreWindows(): void {
  try {
    const stored = JSON.parse(browserEnvironment.browserStorage.get(WINDOWS_KEY) ?? 'null')
    // Only `saveWindows` writes it.
    if (stored && session.isSelf(stored.userId)) directWindows.value = stored.windows as DirectWindow[]
  } catch {
    // A value that cannot be read is as good as none.
  }
}

/** Opens the window of a user, or brings it to the front. */
export function showWindow({ id, username, avatarUrl, gender, isGuest }: WindowUser): void {
  const windows = directWindows.peek()
  const user = { id, username, avatarUrl, gender, isGuest }
  const others = windows.filter((open) => open.user.id !== id)
  // A phone shows one at a time.
  const isPhone = matchMedia(FULL_SCREEN_QUERY).matches
  const rank = topRank(windows) + 1
  if (others.length < windows.length)
    saveWindows(
      windows.map((open) => {
        if (open.user.id === id) return { ...open, user, rank, isMinimised: false }
        return isPhone ? { ...open, isMinimised: true } : open
      }),
    )
  else {
    const oldest = Math.min(...others.map((open) => open.rank))
    const kept = others.length < MAX_WINDOWS ? others : others.filter((open) => open.rank !== oldest)
    const rect = initialRect(kept.filter(({ isMinimised }) => !isMinimised).length, viewportSize())
    const before = isPhone ? kept.map((open) => ({ ...open, isMinimised: true })) : kept
    saveWindows([...before, { user, rect, isMinimised: false, rank }])
  }
}

export function closeWindow(id: UserId): void {
  saveWindows(directWindows.peek().filter(({ user }) => user.id !== id))
}

/** Brings a window to the front. */
export function raiseWindow(id: UserId): void {
  const windows = directWindows.peek()
  const top = topRank(windows)
  if (windows.find(({ user }) => user.id === id)?.rank !== top) changeWindow(id, { rank: top + 1 })
}

export function changeWindow(id: UserId, changes: Partial<Omit<DirectWindow, 'user'>>): void {
  saveWindows(directWindows.peek().map((open) => (open.user.id === id ? { ...open, ...changes } : open)))
}

/** Notes a new name or avatar of a window's user, so that the next visit opens it by that name. */
export function updateWindowUser({ id, username, avatarUrl, gender, isGuest }: WindowUser): void {
  const windows = directWindows.peek()
  if (!windows.some(({ user }) => user.id === id)) return
  const user = { id, username, avatarUrl, gender, isGuest }
  saveWindows(windows.map((open) => (open.user.id === id ? { ...open, user } : open)))
}

function topRank(windows: readonly DirectWindow[]): number {
  return Math.max(0, ...windows.map(({ rank }) => rank))
}

function saveWindows(windows: readonly DirectWindow[]): void {
  directWindows.value = windows
  const stored = windows.length ? JSON.stringify({ userId: session.user?.id, windows }) : null
  browserEnvironment.browserStorage.set(WINDOWS_KEY, stored)
}
