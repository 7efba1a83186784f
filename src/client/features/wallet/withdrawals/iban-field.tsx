import { type ChangeEvent, type ReactNode, useId } from 'react'
import { formatIban, hasIbanForm, isIban } from '../../../../shared/wallet/iban.ts'
import { editIban } from '../../../../shared/wallet/iban-input.ts'
import { IBAN_FORM_TEXT, IBAN_MISSING_TEXT, WRONG_IBAN_TEXT } from '../../../../shared/wallet/withdrawal-texts.ts'
import { useFieldError } from '../../../core/ui/forms/use-field-error.ts'

interface IbanFieldProps {
  /** Without spaces. */
  iban: string
  onChange: (iban: string) => void
}

/** An IBAN in groups of four, which begins with TR. */
export function IbanField({ iban, onChange }: IbanFieldProps): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLInputElement>(ibanError(iban))
  const edit = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    const caret = target.selectionEnd ?? target.value.length
    const edited = editIban({ previous: iban, text: target.value, caret, deleted: deletionOf(nativeEvent) })
    // At once: a text that is set later moves the caret to its end.
    target.value = formatIban(edited.iban)
    target.setSelectionRange(edited.caret, edited.caret)
    onChange(edited.iban)
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        IBAN
      </label>
      <input
        ref={field}
        id={id}
        className="field-input iban-input"
        required
        inputMode="numeric"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={formatIban(iban)}
        aria-describedby={`${id}-hint`}
        onChange={edit}
      />
      <span id={`${id}-hint`} className="field-hint">
        {IBAN_FORM_TEXT}
      </span>
    </div>
  )
}

/** An IBAN of TR alone is an empty field. */
function ibanError(iban: string): string | null {
  if (iban.length <= 2) return IBAN_MISSING_TEXT
  if (!hasIbanForm(iban)) return IBAN_FORM_TEXT
  return isIban(iban) ? null : WRONG_IBAN_TEXT
}

function deletionOf(event: Event): 'backward' | 'forward' | null {
  const { inputType } = event as InputEvent // of an input element
  if (inputType === 'deleteContentBackward') return 'backward'
  return inputType === 'deleteContentForward' ? 'forward' : null
}
