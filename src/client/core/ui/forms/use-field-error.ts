import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Makes a field of a form with inline errors wrong for a reason, in Turkish, that its attributes cannot express; null: it is
 * right. It is shown as the other errors are, when the form is sent (`form-errors.ts`).
 */
export function useFieldError<F extends HTMLInputElement | HTMLTextAreaElement>(
  error: string | null,
): RefObject<F | null> {
  const field = useRef<F>(null)
  useLayoutEffect(() => field.current?.setCustomValidity(error ?? ''))
  return field
}
