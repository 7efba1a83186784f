import type { ReactNode } from 'react'
import { ChevronIcon } from '../lazy-icons.tsx'
import './select.lazy.css'

interface SelectProps<T extends string> {
  /** Of the label, which holds its text and the field. */
  className: string
  label: string
  options: readonly (readonly [value: T, label: string])[]
  value: T | undefined
  onChange: (value: T) => void
}

/** One option of several, in the browser's own menu. */
export function Select<T extends string>({
  className,
  label,
  options,
  value,
  onChange: choose,
}: SelectProps<T>): ReactNode {
  return (
    <label className={className}>
      <span>{label}</span>
      <span className="select">
        {/* The options are values of the type. */}
        <select value={value} onChange={({ target }) => choose(target.value as T)}>
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
        <ChevronIcon size={16} />
      </span>
    </label>
  )
}
