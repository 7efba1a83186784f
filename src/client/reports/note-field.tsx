import { type ReactNode, useId } from 'react'
import '../ui/field.css'
import './note-field.later.css'

interface NoteFieldProps {
  label: string
  placeholder?: string
  text: string
  maxLength: number
  /** What is wrong with the text, in Turkish. */
  error?: string | null
  onType: (text: string) => void
}

/** From this many left on, the field shows how many characters are left. */
const SHOW_LEFT_FROM = 100

/** A text of some lines with a label, and how many characters are left. */
export function NoteField({ label, placeholder, text, maxLength, error = null, onType }: NoteFieldProps): ReactNode {
  const id = useId()
  const left = maxLength - text.length
  return (
    <div className="field">
      <div className="note-head">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {left <= SHOW_LEFT_FROM && <span className="field-hint">{left} karakter kaldı</span>}
      </div>
      <textarea
        dir="auto"
        id={id}
        className="field-input note-input"
        rows={3}
        maxLength={maxLength}
        placeholder={placeholder}
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={({ target }) => onType(target.value)}
      />
      {error !== null && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
