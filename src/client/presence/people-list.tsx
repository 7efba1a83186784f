import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { loadMorePeople } from '../rooms/state.ts'
import { PersonRow } from './person-row.tsx'
import './people-list.css'

interface PeopleListProps {
  users: readonly Person[]
  total: number
  viewerId: number
}

/** The people of the room, as far as they are loaded; the next page comes when its place comes into view. */
export function PeopleList({ users, total, viewerId }: PeopleListProps): ReactNode {
  if (users.length === 0) return <p className="people-empty">Odada henüz kimse yok.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="panel-scroll" aria-label="Kullanıcı listesi" tabIndex={0}>
      <ul className="people">
        {users.map((person) => (
          <PersonRow key={person.id} person={person} isViewer={person.id === viewerId} />
        ))}
      </ul>
      {users.length < total && <NextPage key={users.length} />}
    </section>
  )
}

/** Loads once when it is seen. A page that did not come can be asked for again. */
function NextPage(): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'waiting' | 'loading' | 'failed'>('waiting')
  const load = async (): Promise<void> => {
    setState('loading')
    await loadMorePeople()
    // Where the page has come, this one has gone.
    setState('failed')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it watches for its place once
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      load()
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])

  return (
    <div ref={place} className="people-next">
      {state === 'failed' ? (
        <>
          <p role="alert">Kullanıcılar alınırken bir hata oluştu.</p>
          <button type="button" className="link-button" onClick={load}>
            Tekrar dene
          </button>
        </>
      ) : (
        <span className="spinner" role="status" aria-label="Yükleniyor..." />
      )}
    </div>
  )
}
