import { INVALID_IBAN_TEXT, MISSING_FIELDS_TEXT } from '../texts.ts'
import { hasIbanForm, isIban } from './iban.ts'
import { AMOUNT_MISSING_TEXT, NOT_WITHDRAWABLE_TEXT, WRONG_IBAN_TEXT } from './texts.ts'

/** Why the wizard's first step cannot be left; null if it can. Amounts in lira; null: none is chosen, or it is unknown. */
export function amountProblem(amount: number | null, withdrawable: number | null): string | null {
  if (amount === null) return AMOUNT_MISSING_TEXT
  return withdrawable !== null && amount > withdrawable ? NOT_WITHDRAWABLE_TEXT : null
}

/** Why a request cannot be sent; null if it can. An IBAN of TR alone is an empty field. */
export function accountProblem({
  firstName,
  lastName,
  iban,
}: {
  firstName: string
  lastName: string
  iban: string
}): string | null {
  if (firstName.trim() === '' || lastName.trim() === '' || iban.length <= 2) return MISSING_FIELDS_TEXT
  if (!hasIbanForm(iban)) return INVALID_IBAN_TEXT
  return isIban(iban) ? null : WRONG_IBAN_TEXT
}
