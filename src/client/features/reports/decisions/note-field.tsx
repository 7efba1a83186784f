import { type ReactNode, useId } from 'react'
import { useFieldError } from '../../../core/ui/forms/use-field-error.ts'
import '../../../core/ui/forms/field.css'

interface NoteFieldProps {
  label: string
  placeholder?: string
  text: string
  maxLength: number
  /** The error when nothing is typed, in Turkish; absent if the field may stay empty. */
  missing?: string | undefined
  onType: (text: string) => void
}

/** From this many left on, the field shows how many characters are left. */
const SHOW_LEFT_FROM = 100

/** A text of some lines with a label, and how many characters are left. */
export function NoteField({ label, placeholder, text, maxLength, missing, onType }: NoteFieldProps): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLTextAreaElement>(text.trim() === '' ? (missing ?? null) : null)
  const left = maxLength - text.length
  return (
    <div className="field">
      <div className="row between gap-3">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {left <= SHOW_LEFT_FROM && <span className="field-hint">{left} karakter kaldı</span>}
      </div>
      <textarea
        dir="auto"
        ref={field}
        id={id}
        className="field-input field-area"
        rows={3}
        maxLength={maxLength}
        placeholder={placeholder}
        value={text}
        required={missing !== undefined}
        onChange={({ target }) => onType(target.value)}
      />
    </div>
  )
}
