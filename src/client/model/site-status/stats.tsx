import type { ReactNode } from 'react'
import { countText } from '../../core/ui/format/turkish-number.ts'
import type { StatusAnswer } from './load-status.ts'
import '../../core/ui/lists/paged-list.css'
import './stats.css'

interface StatListProps {
  /** The label of the first and largest count. */
  label: string
  status: StatusAnswer
}

/** User counts: all, by gender and by device. */
export function StatList({ label, status }: StatListProps): ReactNode {
  return (
    <dl className="stats">
      <Stat name={label} count={status.activeUsers} isMain />
      <Stat name="Kadın" count={status.female} />
      <Stat name="Erkek" count={status.male} />
      <Stat name="Masaüstü" count={status.desktop} />
      <Stat name="Mobil" count={status.mobile} />
    </dl>
  )
}

function Stat({ name, count, isMain = false }: { name: string; count: number; isMain?: boolean }): ReactNode {
  return (
    <div data-main={isMain}>
      <dt>{name}</dt>
      <dd>{countText(count)}</dd>
    </div>
  )
}

/** Shown in place of data that is loading or failed to load. */
export function LoadNote({ state, reload }: { state: 'loading' | 'failed'; reload: () => void }): ReactNode {
  if (state === 'loading') return <p className="list-note">Yükleniyor...</p>
  return (
    <p className="list-note" role="alert">
      Bilgiler alınamadı.{' '}
      <button type="button" className="link-button" onClick={reload}>
        Tekrar dene
      </button>
    </p>
  )
}
