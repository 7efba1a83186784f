import { type ReactNode, useEffect, useState } from 'react'
import type { PagedItems } from './paged-items.ts'
import './paged-list.css'

/** What stands where a list is to come. */
export function ListLoading(): ReactNode {
  return (
    <p className="list-note" role="status">
      <span className="spinner" aria-hidden="true" />
      Yükleniyor...
    </p>
  )
}

/** Why a list did not come, in Turkish, and the way to ask again. */
export function ListFailure({ why, reload }: { why: string; reload: () => void }): ReactNode {
  return (
    <div className="list-note">
      <p role="alert">{why}</p>
      <button type="button" className="link-button" onClick={reload}>
        Tekrar dene
      </button>
    </div>
  )
}

interface PagedListProps<Item, Place> {
  /** null until it was loaded once. */
  list: PagedItems<Item, Place> | null
  /** Loads from the beginning (null) or from a place on. Answers what went wrong, in Turkish, or null. */
  load: (from: Place | null) => Promise<string | null>
  /** What it says when there is nobody in it. */
  empty: string
  row: (item: Item) => ReactNode
}

/** A list that comes a page at a time; it is loaded anew each time that it is opened. */
export function PagedList<Item, Place>({ list, load, empty, row }: PagedListProps<Item, Place>): ReactNode {
  const [failure, setFailure] = useState<string | null>(null)
  const ask = async (from: Place | null): Promise<void> => {
    setFailure(null)
    setFailure(await load(from))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => void ask(null), [])

  if (failure !== null) return <ListFailure why={failure} reload={() => void ask(null)} />
  if (list === null) return <ListLoading />
  if (list.items.length === 0 && list.next === null) return <p className="list-note">{empty}</p>
  return (
    <>
      <ul className="list-rows">{list.items.map(row)}</ul>
      {list.next !== null && (
        <button type="button" className="button list-more" onClick={() => void ask(list.next)}>
          Daha fazla
        </button>
      )}
    </>
  )
}
