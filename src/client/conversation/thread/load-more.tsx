import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useConversation } from '../conversation-context.ts'
import { historyLoaderOf } from '../store/history-loader.ts'

interface LoadMoreProps {
  side: 'older' | 'newer'
  /** It loads when it comes near the view; otherwise a button does it. */
  isAuto: boolean
}

/** Loading begins this far outside the view, so that a reader seldom waits. */
const LOAD_AHEAD_MARGIN = '600px 0px'

/** The edge of what is loaded. Each page that loads replaces it by a new one. */
export function LoadMore({ side, isAuto }: LoadMoreProps): ReactNode {
  const historyLoader = historyLoaderOf(useConversation())
  const place = useRef<HTMLDivElement>(null)
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const waits = isAuto && !isLoading && failure === null

  useEffect(() => {
    if (!waits || !place.current) return
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void load()
      },
      { root: place.current.closest('.thread'), rootMargin: LOAD_AHEAD_MARGIN },
    )
    near.observe(place.current)
    return () => near.disconnect()
  })

  const load = async (): Promise<void> => {
    setLoading(true)
    setFailure(side === 'older' ? await historyLoader.loadOlder() : await historyLoader.loadNewer())
    setLoading(false)
  }
  const press = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // The pressed button disappears.
    currentTarget.closest<HTMLElement>('.thread')?.focus({ preventScroll: true })
    void load()
  }

  return (
    <div ref={place} className="load-more" data-side={side}>
      {failure !== null && <p role="alert">{failure}</p>}
      {isLoading || waits ? (
        <span className="spinner" role="status" aria-label="Mesajlar yükleniyor..." />
      ) : (
        <button type="button" className="link-button" onClick={press}>
          {failure === null ? 'Daha eski mesajlar' : 'Tekrar dene'}
        </button>
      )}
    </div>
  )
}
