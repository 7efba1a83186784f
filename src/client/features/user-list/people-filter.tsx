import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import {
  canFilterByGender,
  GENDER_FILTER_IS_PREMIUM,
  type GenderFilter,
  type PeopleFilter,
  USER_SEARCH_DEBOUNCE_MS,
} from '../../../shared/presence/rules.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { icon } from '../../core/ui/composer-icons.tsx'
import { ManIcon, WomanIcon } from '../../core/ui/lazy-icons.tsx'

interface PeopleFilterBarProps {
  /** The placeholder and accessible name of the search box. */
  label: string
  viewer: Pick<Person, 'role' | 'premiumStatus'>
  filter: PeopleFilter
  onChange: (filter: PeopleFilter) => void
}

const SearchIcon = icon(<path d="m20 20-4.4-4.4M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z" />)

const genderChoices: [gender: GenderFilter, label: string, icon: ReactNode][] = [
  ['female', 'Kadınlar', <WomanIcon key="female" size={18} />],
  ['male', 'Erkekler', <ManIcon key="male" size={18} />],
]

/** Filters a list of people by a part of the name, after a pause in typing, and by gender. */
export function PeopleFilterBar({ label, viewer, filter, onChange }: PeopleFilterBarProps): ReactNode {
  const [text, setText] = useState(filter.search ?? '')

  useEffect(() => {
    if (text === (filter.search ?? '')) return
    const timer = setTimeout(() => onChange({ ...filter, search: text }), USER_SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, filter, onChange])

  // Premium ends while the list is filtered.
  const isGenderLost = filter.gender !== undefined && !canFilterByGender(viewer)
  useEffect(() => {
    if (isGenderLost) onChange({ ...filter, gender: undefined })
  }, [isGenderLost, filter, onChange])

  const choose = (gender: GenderFilter): void => {
    if (!canFilterByGender(viewer)) void toast(GENDER_FILTER_IS_PREMIUM, 'warning')
    else onChange({ search: text, gender: filter.gender === gender ? undefined : gender })
  }

  return (
    <search className="people-filter">
      <div className="people-search">
        <SearchIcon size={18} />
        <input
          type="search"
          value={text}
          maxLength={64}
          placeholder={label}
          aria-label={label}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <GenderButtons chosen={filter.gender} onChoose={choose} />
    </search>
  )
}

interface GenderButtonsProps {
  chosen: GenderFilter | undefined
  onChoose: (gender: GenderFilter) => void
}

function GenderButtons({ chosen, onChoose }: GenderButtonsProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a box around the buttons
    <div role="group" aria-label="Cinsiyet">
      {genderChoices.map(([gender, name, genderIcon]) => (
        <button
          key={gender}
          type="button"
          className="icon-button"
          aria-label={name}
          title={name}
          aria-pressed={chosen === gender}
          onClick={() => onChoose(gender)}
        >
          {genderIcon}
        </button>
      ))}
    </div>
  )
}
