import './form-errors.lazy.css'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What a field with an error had before. */
interface ShownError {
  paragraph: HTMLParagraphElement
  describedBy: string | null
  invalid: string | null
  /** The server's reason, until the field is edited. */
  isRefusal: boolean
  stop: AbortController
}

const shownErrors = new WeakMap<Field, ShownError>()
let lastId = 0

/**
 * Shows the error of each wrong field of the form and focuses the first one; returns whether there is none. An error goes
 * once its field is right.
 */
export function showFormErrors(form: HTMLFormElement): boolean {
  const invalid = [...form.elements].filter((element) => isField(element) && !element.validity.valid) as Field[]
  const wrong = invalid.filter((field, index) => invalid.findIndex((other) => isSameChoice(field, other)) === index)
  for (const field of wrong) showError(field)
  if (wrong[0]) focusField(wrong[0])
  return wrong.length === 0
}

/** Shows at the named field why the server refused it, until the field is edited; returns whether there is such a field. */
export function showRefusal(form: HTMLFormElement, name: string, text: string): boolean {
  const field = form.elements.namedItem(name)
  if (!(field instanceof Element && isField(field))) return false
  const shown = shownErrors.get(field) ?? markField(field)
  shown.isRefusal = true
  shown.paragraph.textContent = text
  focusField(field)
  return true
}

/** Removes what `showRefusal` has shown in the form. */
export function hideRefusals(form: HTMLFormElement): void {
  for (const field of form.elements) {
    if (!isField(field)) continue
    const shown = shownErrors.get(field)
    if (shown?.isRefusal) removeError(field, shown)
  }
}

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

/** The radio buttons of a choice have one error. */
function isSameChoice(field: Field, other: Field): boolean {
  return field === other || (field.type === 'radio' && other.type === 'radio' && field.name === other.name)
}

/** Opens the fold in which the field may be. */
function focusField(field: Field): void {
  field.closest('details')?.setAttribute('open', '')
  field.focus()
}

function showError(field: Field): void {
  const shown = shownErrors.get(field) ?? markField(field)
  const { validity, dataset } = field
  shown.isRefusal = false
  // Of `useFieldError`, else of `errorTexts`.
  const text = validity.valueMissing ? dataset.missing : dataset.wrong
  shown.paragraph.textContent = validity.customError ? field.validationMessage : (text ?? '')
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
    isRefusal: false,
    stop: new AbortController(),
  }
  shownErrors.set(field, shown)
  // Beside the field's box: React may not be live in an island yet, and then its HTML must stay as the server sent it.
  const box = field.closest(field.type === 'radio' ? 'fieldset' : '.field') ?? field.closest('label') ?? field
  const place = box.closest('m-island > *') === box ? (box.parentElement ?? box) : box
  place.after(paragraph)
  field.setAttribute('aria-describedby', paragraph.id)
  field.setAttribute('aria-invalid', 'true')
  // Afterwards: React then has stored what was typed (`useFieldError`), and a button of the form may have filled the field.
  const update = (): void => {
    setTimeout(() => {
      if (shown.isRefusal || shown.stop.signal.aborted) return
      if (field.validity.valid) removeError(field, shown)
      else showError(field)
    })
  }
  const edited = (): void => {
    shown.isRefusal = false
    update()
  }
  const { signal } = shown.stop
  for (const name of ['input', 'change']) field.addEventListener(name, edited, { signal })
  field.form?.addEventListener('click', update, { signal })
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
