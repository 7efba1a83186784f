import { type ReactNode, useId } from 'react'
import './field.css'
import './choices.css'

interface ChoicesProps<T extends string> {
  legend: string
  choices: readonly { value: T; label: string; icon?: ReactNode }[]
  chosen: T
  choose: (value: T) => void
}

/** One of a few, all of them in sight. */
export function Choices<T extends string>({ legend, choices, chosen, choose }: ChoicesProps<T>): ReactNode {
  const name = useId()
  return (
    <fieldset className="choices">
      <legend className="field-label">{legend}</legend>
      {choices.map(({ value, label, icon }) => (
        <label key={value} className="choice">
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
