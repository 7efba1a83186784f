import { MAX_OPTION_LIRA } from '../../../shared/wallet/options/limits.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'

/** A field of an option's form, whose value is text while it is edited. */
export interface OptionField {
  name: string
  label: string
  inputMode: 'numeric' | 'text'
  maxLength: number
  /** Why the text cannot be saved, in Turkish; null if it can. */
  check(text: string): string | null
}

export type FieldValues = Readonly<Record<string, string>>

/** A field for a whole number between the two. */
export function numberField(name: string, label: string, min: number, max: number): OptionField {
  const problem = `${label} ${countText(min)} ile ${countText(max)} arasında bir tam sayı olmalı.`
  const isValid = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  return {
    name,
    label,
    inputMode: 'numeric',
    maxLength: 9,
    check: (text) => (isValid(text.trim()) ? null : problem),
  }
}

/** A field for a price or an amount in whole lira. */
export function liraField(name: string, label: string): OptionField {
  return numberField(name, `${label} (₺)`, 1, MAX_OPTION_LIRA)
}

/** The number in a field that was checked. */
export function numberIn(values: FieldValues, name: string): number {
  return Number(values[name])
}
