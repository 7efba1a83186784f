import './form-errors.css'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What a field with an error had before. */
interface ShownError {
  paragraph: HTMLParagraphElement
  describedBy: string | null
  invalid: string | null
  stop: AbortController
}

const shownErrors = new WeakMap<Field, ShownError>()
let lastId = 0

/** Shows the error of each wrong field of the form and focuses the first one. An error goes once its field is right. */
export function showFormErrors(form: HTMLFormElement): void {
  const wrong = [...form.elements].filter((element): element is Field => isField(element) && !element.validity.valid)
  for (const field of wrong) showError(field)
  wrong[0]?.focus()
}

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

function showError(field: Field): void {
  const shown = shownErrors.get(field) ?? markField(field)
  shown.paragraph.textContent = (field.validity.valueMissing ? field.dataset.missing : field.dataset.wrong) ?? ''
}

function markField(field: Field): ShownError {
  const paragraph = document.createElement('p')
  paragraph.id = `form-error-${++lastId}`
  paragraph.className = 'field-error form-error'
  paragraph.setAttribute('role', 'alert')
  const shown: ShownError = {
    paragraph,
    describedBy: field.getAttribute('aria-describedby'),
    invalid: field.getAttribute('aria-invalid'),
    stop: new AbortController(),
  }
  shownErrors.set(field, shown)
  // Beside the field's box: React may not be live in an island yet, and then its HTML must stay as the server sent it.
  const box = field.closest('.field') ?? field.closest('label') ?? field
  const place = box.closest('m-island > *') === box ? (box.parentElement ?? box) : box
  place.after(paragraph)
  field.setAttribute('aria-describedby', paragraph.id)
  field.setAttribute('aria-invalid', 'true')
  const update = (): void => {
    if (field.validity.valid) removeError(field, shown)
    else showError(field)
  }
  const { signal } = shown.stop
  for (const name of ['input', 'change']) field.addEventListener(name, update, { signal })
  // A button of the form may fill the field, without an event.
  field.form?.addEventListener('click', () => setTimeout(update), { signal })
  return shown
}

function removeError(field: Field, { paragraph, describedBy, invalid, stop }: ShownError): void {
  stop.abort()
  shownErrors.delete(field)
  paragraph.remove()
  for (const [name, value] of [
    ['aria-describedby', describedBy],
    ['aria-invalid', invalid],
  ] as const) {
    if (value === null) field.removeAttribute(name)
    else field.setAttribute(name, value)
  }
}
