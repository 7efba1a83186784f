import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { closeOnBack } from '../../navigation/close-on-back.ts'
import { signal } from '../../signals/signal.ts'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { mountPortal } from '../../ui/mount-portal.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WIDE_SCREEN_QUERY } from '../../ui/use-media-query.ts'
import { LOAD_FAILURE_TEXT, logLoadFailure } from '../toasts/toast.ts'

/** Code that is there sooner shows no sheet that disappears at once. */
const SKELETON_DELAY_MS = 100

interface SkeletonSheet {
  failure: string | null
  retry: () => void
  close: () => void
}

const shownSheet = signal<SkeletonSheet | null>(null)
let isMounted = false

/**
 * Loads an overlay's code and shows it, unless the user presses Esc or Back or closes the skeleton before. On a small screen
 * a sheet is in its place meanwhile, and after a failure has a button that tries again. On a wide screen it rejects as `load`
 * does.
 */
export function loadBehindSkeleton<T>(load: () => Promise<T>, show: (loaded: T) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const isWide = matchMedia(WIDE_SCREEN_QUERY).matches
  let isOver = false
  // What opens takes over the entry of what closes in the same task.
  const end = (showInPlace?: () => void): void => {
    if (isOver) return
    isOver = true
    clearTimeout(delay)
    stopListening()
    if (shownSheet.peek()?.close === close) showSheet(null)
    showInPlace?.()
    leaveEntry()
    resolve()
  }
  const close = (): void => end()
  const showSkeleton = (failure: string | null): void => {
    clearTimeout(delay)
    if (isOver) return
    showSheet({ failure, retry, close })
    leaveEntry()
  }
  const fail = (error: unknown): void => {
    if (isWide) {
      reject(error)
      end()
    } else {
      logLoadFailure(error)
      showSkeleton(LOAD_FAILURE_TEXT)
    }
  }
  const attempt = (): void => {
    load()
      .then((loaded) => (isSheetClosing() ? end() : end(() => show(loaded))), fail)
      .catch(reject)
  }
  const retry = (): void => {
    showSkeleton(null)
    attempt()
  }
  const leaveEntry = closeOnBack(close)
  const stopListening = onEscape(close)
  const delay = isWide ? undefined : setTimeout(() => showSkeleton(null), SKELETON_DELAY_MS)
  attempt()
  return promise
}

/** Before any other listener: what is below stays open. Returns a function that stops it. */
function onEscape(cancel: () => void): () => void {
  const listening = new AbortController()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    cancel()
  }
  addEventListener('keydown', onKeyDown, { capture: true, signal: listening.signal })
  return () => listening.abort()
}

/** Whether the user has closed the sheet, and its handler runs only in a later task. */
function isSheetClosing(): boolean {
  const dialog = document.querySelector('.overlay-skeleton')?.closest('dialog')
  return dialog ? !dialog.open || dialog.matches('.closing') : false
}

/** Synchronous: no key is pressed between two of them, and the focus has returned to the opener before the overlay opens. */
function showSheet(sheet: SkeletonSheet | null): void {
  flushSync(() => {
    if (!isMounted) mountPortal('overlay-skeleton', <SheetRoot />)
    isMounted = true
    shownSheet.value = sheet
  })
}

function SheetRoot(): ReactNode {
  const sheet = useSignalValue(shownSheet, null)
  if (!sheet) return null
  return (
    <Sheet title="Açılıyor..." titleId="overlay-skeleton-title" side="bottom" onClose={sheet.close}>
      <div className="overlay-skeleton">
        <Skeleton failure={sheet.failure} retry={sheet.retry} />
      </div>
    </Sheet>
  )
}
