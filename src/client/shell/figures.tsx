import type { ReactNode } from 'react'
import { countText } from '../ui/turkish-number.ts'
import type { Status } from './status.ts'
import './figures.css'

interface FiguresProps {
  /** What the first and largest figure counts. */
  label: string
  status: Status
}

/** Who is there, in figures. */
export function Figures({ label, status }: FiguresProps): ReactNode {
  return (
    <dl className="figures">
      <Figure name={label} count={status.activeUsers} isMain />
      <Figure name="Kadın" count={status.female} />
      <Figure name="Erkek" count={status.male} />
      <Figure name="Masaüstü" count={status.desktop} />
      <Figure name="Mobil" count={status.mobile} />
    </dl>
  )
}

function Figure({ name, count, isMain = false }: { name: string; count: number; isMain?: boolean }): ReactNode {
  return (
    <div className="figure" data-main={isMain}>
      <dt>{name}</dt>
      <dd>{countText(count)}</dd>
    </div>
  )
}

/** In place of figures that are on their way, or have not come. */
export function FiguresNote({ state, again }: { state: 'loading' | 'failed'; again: () => void }): ReactNode {
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
