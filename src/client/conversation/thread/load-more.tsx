import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { historyLoader } from '../../room-chat/history-state.ts'

interface LoadMoreProps {
  side: 'older' | 'newer'
  /** It loads when it comes near; otherwise a press on its button does it. */
  isAuto: boolean
}

/** Loading begins this far from the edge, so that a reader who goes on seldom waits. */
const LOAD_AHEAD_MARGIN = '600px 0px'

/** The place where a thread goes on. Where the next page has come, this one has gone. */
export function LoadMore({ side, isAuto }: LoadMoreProps): ReactNode {
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
    // The button that was pressed goes away.
    currentTarget.closest<HTMLElement>('.thread')?.focus({ preventScroll: true })
    void load()
  }

  return (
    <div ref={place} className="past-page" data-side={side}>
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
