import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { PagedItems } from '../../signals/live-list.ts'
import type { ReadonlySignal } from '../../signals/signal.ts'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import './paged-list.css'

const LOADING_TEXT = 'Yükleniyor...'

/** Shown while a list loads. */
export function ListLoading(): ReactNode {
  return (
    <p className="list-note" role="status">
      <span className="spinner" aria-hidden="true" />
      {LOADING_TEXT}
    </p>
  )
}

/** The reason in a list whose failure a toast explains: the two do not repeat each other. */
export const LIST_NOT_LOADED = 'Yüklenemedi.'

/** Shown when a list failed to load: the reason in Turkish and a retry button. */
export function ListFailure({ reason, reload }: { reason: string; reload: () => void }): ReactNode {
  return (
    <div className="list-note">
      <p role="alert">{reason}</p>
      <button type="button" className="link-button" onClick={reload}>
        Tekrar dene
      </button>
    </div>
  )
}

interface PagedListProps<Item, Cursor> {
  /** A `LiveList`, or what shows one. */
  list: {
    /** null before the first load. */
    readonly list: ReadonlySignal<PagedItems<Item, Cursor> | null>
    /** Loads the first page (null) or the page at a cursor. Returns an error text in Turkish, or null. */
    load(from: Cursor | null): Promise<string | null>
  }
  /** What an empty list shows. */
  empty: ReactNode
  row: (item: Item) => ReactNode
  /** The next page loads when the end of the list comes near; otherwise by a click alone. */
  isEndless?: boolean
}

/** A list that loads page by page, from the first page each time it is opened. A failed later page leaves the others. */
export function PagedList<Item, Cursor>(props: PagedListProps<Item, Cursor>): ReactNode {
  const { list: source, empty, row, isEndless = false } = props
  const list = useSignalValue(source.list, null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const loadPage = async (from: Cursor | null): Promise<void> => {
    setFailure(null)
    setLoading(true)
    setFailure(await source.load(from))
    setLoading(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => void loadPage(null), [])
  const hasItems = list !== null && (list.items.length > 0 || list.next !== null)
  const next = hasItems ? list.next : null
  const loadNext = (): void => {
    if (!isLoading && next !== null) void loadPage(next)
  }
  const end = useRef<HTMLButtonElement>(null)
  useNearEnd(end, isEndless && failure === null, loadNext)

  if (!hasItems && failure !== null) return <ListFailure reason={failure} reload={() => void loadPage(null)} />
  if (list === null) return <ListLoading />
  if (!hasItems) return typeof empty === 'string' ? <p className="list-note">{empty}</p> : empty
  return (
    <>
      <ul className="list-rows">{list.items.map(row)}</ul>
      {failure !== null && <ListFailure reason={failure} reload={() => void loadPage(next)} />}
      {next !== null && failure === null && (
        <button ref={end} type="button" className="button wide mt-3" aria-disabled={isLoading} onClick={loadNext}>
          {isLoading && <span className="spinner" aria-hidden="true" />}
          {isLoading ? LOADING_TEXT : 'Daha fazla'}
        </button>
      )}
    </>
  )
}

/** The distance at which the next page is requested, so that it is there before the end is. */
const NEAR_END = '1200px'

/** Calls `onNear` while the element is near the visible part; again after each render, as the next page may be short. */
function useNearEnd(element: RefObject<Element | null>, isOn: boolean, onNear: () => void): void {
  useEffect(() => {
    if (!isOn || !element.current) return
    const margins = { rootMargin: NEAR_END, scrollMargin: NEAR_END }
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onNear(),
      margins,
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  })
}
