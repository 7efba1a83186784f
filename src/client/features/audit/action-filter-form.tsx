import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ActionFilter } from '../../../shared/audit/protocol.ts'
import { USER_SEARCH_DEBOUNCE_MS } from '../../../shared/presence/rules.ts'
import { dayOf } from '../../../shared/wallet/turkish-day.ts'
import { live } from '../../core/live/state.ts'
import { Select } from '../../core/ui/forms/select.tsx'
import { ChevronIcon } from '../../core/ui/lazy-icons.tsx'
import { kindOptions } from './known-kinds.ts'
import '../../core/ui/forms/field.css'

const ANY = ''
const sideOptions = [
  [ANY, 'Fark etmez'],
  ['actor', 'Yapan'],
  ['target', 'Yapılan'],
] as const

interface FilterFormProps {
  filter: ActionFilter
  /** Gets a function of the present filter: a typed name comes later than a choice that was made meanwhile. */
  onChange: (change: (present: ActionFilter) => ActionFilter) => void
}

/** The filters of the action log. On a phone, those after the name open with a button. */
export function ActionFilterForm({ filter, onChange }: FilterFormProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const moreId = useId()
  const change = (fields: Partial<Record<keyof ActionFilter, string>>): void =>
    onChange((present) => withFields(present, fields))
  const today = dayOf(live.serverNow())
  return (
    <search data-open={isOpen}>
      <TextFilter label="Kişi" value={filter.username ?? ''} onChange={(username) => change({ username })} />
      <button
        type="button"
        className="button"
        aria-expanded={isOpen}
        aria-controls={moreId}
        onClick={() => setOpen(!isOpen)}
      >
        Filtreler
        <ChevronIcon size={16} />
      </button>
      <div id={moreId}>
        <Select
          className="field field-label"
          label="Kişinin rolü"
          options={sideOptions}
          value={filter.side ?? ANY}
          onChange={(side) => change({ side })}
        />
        <TextFilter label="Oda" value={filter.roomName ?? ''} onChange={(roomName) => change({ roomName })} />
        <Select
          className="field field-label action-kind"
          label="Tür"
          options={[[ANY, 'Tümü'], ...kindOptions]}
          value={filter.kind ?? ANY}
          onChange={(kind) => change({ kind })}
        />
        <DayFilter
          label="Başlangıç"
          value={filter.fromDay}
          max={filter.toDay ?? today}
          onChange={(fromDay) => change({ fromDay })}
        />
        <DayFilter
          label="Son gün"
          value={filter.toDay}
          min={filter.fromDay}
          max={today}
          onChange={(toDay) => change({ toDay })}
        />
      </div>
    </search>
  )
}

/** The filter with other fields; empty ones are left out, and the side without a person. */
function withFields(filter: ActionFilter, fields: Partial<Record<keyof ActionFilter, string>>): ActionFilter {
  const entries = Object.entries({ ...filter, ...fields }).filter(([, value]) => value !== '')
  const { side, ...others } = Object.fromEntries(entries) as ActionFilter // the fields are those of the form
  return others.username === undefined || side === undefined ? others : { ...others, side }
}

interface TextFilterProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function TextFilter({ label, value, onChange }: TextFilterProps): ReactNode {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (typed: string): void => {
    setText(typed)
    clearTimeout(timer.current)
    if (typed.trim() !== value) timer.current = setTimeout(() => onChange(typed.trim()), USER_SEARCH_DEBOUNCE_MS)
  }
  return (
    <label className="field field-label">
      <span>{label}</span>
      <input
        type="search"
        className="field-input field-input--low"
        value={text}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
      />
    </label>
  )
}

interface DayFilterProps {
  label: string
  value: string | undefined
  min?: string | undefined
  max: string
  onChange: (day: string) => void
}

function DayFilter({ label, value = '', min, max, onChange }: DayFilterProps): ReactNode {
  return (
    <label className="field field-label">
      <span>{label}</span>
      <input
        type="date"
        className="field-input field-input--low"
        value={value}
        min={min}
        max={max}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
