import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { signal } from '../../signal.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { mountPortal } from '../../ui/mount-portal.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WIDE_SCREEN_QUERY } from '../../ui/use-media-query.ts'
import { useSignalValue } from '../../use-signal-value.ts'
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
 * Loads an overlay's code. On a small screen a sheet is in its place meanwhile, and after a failure has a button that tries
 * again; null when the user closes it. On a wide screen it rejects as `load` does.
 */
export function loadBehindSkeleton<T>(load: () => Promise<T>): Promise<T | null> {
  if (matchMedia(WIDE_SCREEN_QUERY).matches) return load()
  const { promise, resolve } = Promise.withResolvers<T | null>()
  let isOver = false
  const show = (failure: string | null): void => {
    clearTimeout(delay)
    if (!isOver) showSheet({ failure, retry, close })
  }
  const end = (loaded: T | null): void => {
    isOver = true
    clearTimeout(delay)
    if (shownSheet.peek()?.close === close) showSheet(null)
    resolve(loaded)
  }
  const close = (): void => end(null)
  const attempt = (): void => {
    load().then(end, (error) => {
      logLoadFailure(error)
      show(LOAD_FAILURE_TEXT)
    })
  }
  const retry = (): void => {
    show(null)
    attempt()
  }
  const delay = setTimeout(() => show(null), SKELETON_DELAY_MS)
  attempt()
  return promise
}

/** Synchronous: the focus has returned to the opener before the overlay opens. */
function showSheet(sheet: SkeletonSheet | null): void {
  if (!isMounted) mountPortal('overlay-skeleton', <SheetRoot />)
  isMounted = true
  flushSync(() => {
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
