import type { ReactNode } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { PeopleLoadError, PeopleRows, type PeopleView } from './people-rows.tsx'
import './people-list.css'
import './people-list.lazy.css'

interface PeopleResultProps {
  view: PeopleView
  viewerId: UserId
  /** Whether a filter is set: screen readers then announce the number of results. */
  isSearch: boolean
  retry: () => void
}

/** A list of people, its loading state, its error or its empty text. */
export function PeopleResult({ view, viewerId, isSearch, retry }: PeopleResultProps): ReactNode {
  const { users, total, state } = view
  const isEmpty = users.length === 0
  return (
    <>
      <p className="visually-hidden" role="status">
        {isSearch && !isEmpty && state === 'loaded' && `${countText(total)} kişi bulundu.`}
      </p>
      {isEmpty && state === 'loading' && <span className="spinner soft" role="status" aria-label="Yükleniyor..." />}
      {isEmpty && state === 'failed' && <PeopleLoadError retry={retry} />}
      {isEmpty && state === 'loaded' && <p className="empty">Eşleşen kullanıcı bulunamadı!</p>}
      {!isEmpty && <PeopleRows view={view} viewerId={viewerId} />}
    </>
  )
}
