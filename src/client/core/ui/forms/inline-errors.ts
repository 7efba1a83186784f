/**
 * Props of a form whose own constraints (`required`, `minLength`, `pattern`) are checked before it is sent, with the errors
 * shown in it in place of the browser's bubbles (`form-errors.ts`, which also shows a refusal at its field). Without scripts
 * the server answers with the errors.
 */
export const inlineErrors = { noValidate: true, 'data-inline-errors': '' } as const

/** The `pattern` of a field in which white space alone is nothing. */
export const NOT_BLANK = '.*\\S.*'

/** The texts of a field in such a form. */
interface FieldTexts {
  /** Shown when the field is empty. */
  missing: string
  /** Shown when its value breaks another constraint. */
  wrong?: string
}

/** Props of a field with these texts. */
export function errorTexts({ missing, wrong = missing }: FieldTexts): { 'data-missing': string; 'data-wrong': string } {
  return { 'data-missing': missing, 'data-wrong': wrong }
}
