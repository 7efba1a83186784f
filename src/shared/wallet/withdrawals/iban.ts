/** The form of an IBAN of Türkiye: TR and 24 digits (specification 2, point 5). */
const ibanForm = /^TR\d{24}$/

/** Removes white space and writes letters in upper case. */
export function normaliseIban(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}

/** Whether a normalised IBAN has the form that the specification asks for. */
export function hasIbanForm(iban: string): boolean {
  return ibanForm.test(iban)
}

/**
 * Whether a normalised IBAN has the form and the check digits of ISO 13616: the rearranged digits are 1 modulo 97. The
 * check digits are 02 to 98, so that 00, 01 and 99 do not pass for 97, 98 and 02.
 */
export function isIban(iban: string): boolean {
  if (!hasIbanForm(iban) || /^TR(?:0[01]|99)/.test(iban)) return false
  const digits = `${iban.slice(4)}2927${iban.slice(2, 4)}` // T is 29, R is 27
  return BigInt(digits) % 97n === 1n
}

/** An IBAN in groups of four, as people read it. */
export function formatIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/gs, '$1 ')
}
