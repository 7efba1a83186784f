import { type ReactNode, useId } from 'react'
import './field.css'
import './radio-list.css'

interface RadioListProps<T extends string> {
  legend: string
  options: readonly { value: T; label: string; icon?: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Radio buttons for a few options, shown side by side. */
export function RadioList<T extends string>({
  legend,
  options,
  value: chosen,
  onChange: choose,
}: RadioListProps<T>): ReactNode {
  const name = useId()
  return (
    <fieldset className="choices">
      <legend className="field-label">{legend}</legend>
      {options.map(({ value, label, icon }) => (
        <label key={value}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          <span>
            {icon}
            {label}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
