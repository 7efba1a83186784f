import { type ReactNode, useId } from 'react'
import './option-list.lazy.css'

interface OptionListProps<T extends string | number> {
  /** The accessible name. */
  label: string
  /** null while they load. */
  options: readonly { value: T; label: ReactNode; detail?: ReactNode }[] | null
  value: T | null
  onChange: (value: T) => void
}

const SKELETON_ROWS = [0, 1, 2, 3, 4]

/** Radio buttons one below the other, each with a detail at its end, such as a price. */
export function OptionList<T extends string | number>(props: OptionListProps<T>): ReactNode {
  const { label, options, value: chosen, onChange: choose } = props
  const name = useId()
  if (!options) {
    return (
      <div className="stack" role="status" aria-label="Yükleniyor...">
        {SKELETON_ROWS.map((row) => (
          <span key={row} className="option" />
        ))}
      </div>
    )
  }
  return (
    <div className="stack" role="radiogroup" aria-label={label}>
      {options.map(({ value, label: text, detail }) => (
        <label key={value} className="option">
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
          <span className="grow semibold">{text}</span>
          {detail !== undefined && <span className="soft small semibold">{detail}</span>}
        </label>
      ))}
    </div>
  )
}
