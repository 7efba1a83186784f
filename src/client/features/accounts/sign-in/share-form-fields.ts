import { browserEnvironment } from '../../../core/platform/environment.ts'

const STORAGE_KEY = 'fields'
/** What the forms of guests and of the sign-up have in common. */
const FORMS = '#guest-form, form[action="/api/users/register"]'
const FIELDS = ['username', 'gender']

/** The typed name and the chosen gender stay when the link between the forms of guests and of the sign-up is clicked. */
export function shareFormFields(page: Document): void {
  const form = page.querySelector<HTMLFormElement>(FORMS)
  if (!form) return
  const { tabStorage } = browserEnvironment
  // A text field or a group of radio buttons; the form of a room has no gender.
  const fields = FIELDS.map((name) => form.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null)
  const stored = tabStorage.get(STORAGE_KEY)?.split('\n') ?? []
  tabStorage.set(STORAGE_KEY, null)
  for (const [index, field] of fields.entries()) if (field && stored[index]) field.value = stored[index]
  page.querySelector('.sign-in-other')?.addEventListener('click', () => {
    tabStorage.set(STORAGE_KEY, fields.map((field) => field?.value ?? '').join('\n'))
  })
}
