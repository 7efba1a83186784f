import { type ReactNode, useEffect, useState } from 'react'
import type { PagedItems } from './paged-items.ts'
import './paged-list.css'

/** Shown while a list loads. */
export function ListLoading(): ReactNode {
  return (
    <p className="list-note" role="status">
      <span className="spinner" aria-hidden="true" />
      Yükleniyor...
    </p>
  )
}

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
  /** null before the first load. */
  list: PagedItems<Item, Cursor> | null
  /** Loads the first page (null) or the page at a cursor. Answers an error text in Turkish, or null. */
  load: (from: Cursor | null) => Promise<string | null>
  /** The text of an empty list. */
  empty: string
  row: (item: Item) => ReactNode
}

/** A list that loads page by page, from the first page each time it is opened. */
export function PagedList<Item, Cursor>({ list, load, empty, row }: PagedListProps<Item, Cursor>): ReactNode {
  const [failure, setFailure] = useState<string | null>(null)
  const loadPage = async (from: Cursor | null): Promise<void> => {
    setFailure(null)
    setFailure(await load(from))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => void loadPage(null), [])

  if (failure !== null) return <ListFailure reason={failure} reload={() => void loadPage(null)} />
  if (list === null) return <ListLoading />
  if (list.items.length === 0 && list.next === null) return <p className="list-note">{empty}</p>
  return (
    <>
      <ul className="list-rows">{list.items.map(row)}</ul>
      {list.next !== null && (
        <button type="button" className="button list-more" onClick={() => void loadPage(list.next)}>
          Daha fazla
        </button>
      )}
    </>
  )
}
