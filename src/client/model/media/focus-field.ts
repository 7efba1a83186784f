/** Focuses the field of a composer, so that Enter sends; not on a phone, where the keyboard would cover the messages. */
export function focusField(form: HTMLFormElement | null | undefined): void {
  if (matchMedia('(hover: hover) and (pointer: fine)').matches)
    form?.querySelector('textarea')?.focus({ preventScroll: true })
}
