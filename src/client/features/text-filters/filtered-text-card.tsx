import type { ReactNode } from 'react'
import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { ShownPlace } from '../../../shared/text-filters/protocol.ts'
import { PersonButton, PlaceText, TimeText } from './subject-line.tsx'

interface FilteredTextCardProps {
  user: UserSummary
  place: ShownPlace
  at: number
  /** The text, or a button that shows it. */
  text: ReactNode
  /** What the filter has found. */
  note: ReactNode
  /** Buttons. */
  actions?: ReactNode
}

/** A text that the filter has matched: who wrote it where and when, and what was found. */
export function FilteredTextCard({ user, place, at, text, note, actions }: FilteredTextCardProps): ReactNode {
  return (
    <li className="card stack gap-3">
      <div className="filter-subject">
        <PersonButton user={user} />
        <PlaceText place={place} />
        <TimeText at={at} />
      </div>
      {text}
      <p className="soft small">{note}</p>
      {actions && <div className="filter-actions">{actions}</div>}
    </li>
  )
}
