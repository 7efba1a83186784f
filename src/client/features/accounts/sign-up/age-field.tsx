import type { ReactNode } from 'react'
import { AGE_INVALID } from '../../../../shared/accounts/rules.ts'
import { errorTexts } from '../../../core/ui/forms/inline-errors.ts'
import '../../../core/ui/forms/field.css'

interface AgeFieldProps {
  id: string
  initial: string
  /** In Turkish. */
  error: string | null
}

/** The age of a new member, with the numeric keyboard. */
export function AgeField({ id, initial, error }: AgeFieldProps): ReactNode {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Yaşın
      </label>
      <input
        id={id}
        className="field-input"
        name="age"
        type="text"
        inputMode="numeric"
        pattern="1[89]|[2-9][0-9]"
        maxLength={2}
        required
        {...errorTexts({ missing: AGE_INVALID })}
        defaultValue={initial}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: a refused user comes back to try again
        autoFocus={error !== null}
        aria-describedby={`${id}-note`}
        aria-invalid={error !== null}
      />
      <p id={`${id}-note`} className={error === null ? 'field-hint' : 'field-error'}>
        {error ?? '18 ile 99 arasında olmalı.'}
      </p>
    </div>
  )
}
