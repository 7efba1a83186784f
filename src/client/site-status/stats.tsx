import type { ReactNode } from 'react'
import { countText } from '../ui/format/turkish-number.ts'
import type { StatusAnswer } from './load-status.ts'
import './stats.css'

interface StatListProps {
  /** What the first and largest figure counts. */
  label: string
  status: StatusAnswer
}

/** Who is there, in figures. */
export function StatList({ label, status }: StatListProps): ReactNode {
  return (
    <dl className="figures">
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
    <div className="figure" data-main={isMain}>
      <dt>{name}</dt>
      <dd>{countText(count)}</dd>
    </div>
  )
}

/** In place of figures that are on their way, or have not come. */
export function LoadNote({ state, again }: { state: 'loading' | 'failed'; again: () => void }): ReactNode {
  if (state === 'loading') return <p className="figures-note">Yükleniyor...</p>
  return (
    <p className="figures-note" role="alert">
      Bilgiler alınamadı.{' '}
      <button type="button" className="link-button" onClick={again}>
        Tekrar dene
      </button>
    </p>
  )
}
