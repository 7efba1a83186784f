/** Keeps forms with `inlineErrors` (inline-errors.ts) that are not valid from being sent, and shows why. */
export function checkForms(page: Document): void {
  page.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement) || !('inlineErrors' in form.dataset) || form.checkValidity()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void import('./form-errors.ts').then(({ showFormErrors }) => showFormErrors(form))
    },
    true,
  )
}
