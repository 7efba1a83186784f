import type { ReactNode } from 'react'
import './skeleton.lazy.css'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

interface SkeletonProps {
  /** Why the content did not load, in Turkish; null while it loads. */
  failure: string | null
  retry: () => void
}

/** In place of content whose code or data is loading, or could not be loaded. */
export function Skeleton({ failure, retry }: SkeletonProps): ReactNode {
  if (failure === null) {
    return (
      <div className="skeleton" role="status" aria-label="Yükleniyor...">
        {ROWS.map((row) => (
          <span key={row} />
        ))}
      </div>
    )
  }
  return (
    <div className="skeleton-failure" role="alert">
      <p>{failure}</p>
      <button type="button" className="button" onClick={retry}>
        Tekrar dene
      </button>
    </div>
  )
}
