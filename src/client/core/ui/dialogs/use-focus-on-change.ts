import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a dialog with a list of sections that opens one at a time: in the section that opens, and on its row
 * again when it closes. The answered ref is of the focusable content; a row has `data-section` with the `order`.
 */
export function useFocusOnChange(section: { order: number } | null): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef<{ order: number } | null>(null)
  useEffect(() => {
    const left = shown.current
    shown.current = section
    if (section) content.current?.focus()
    else if (left) content.current?.querySelector<HTMLElement>(`[data-section="${left.order}"]`)?.focus()
  }, [section])
  return content
}
