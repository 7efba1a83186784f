import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * Renders something beside the page, where it stays while people move: what lies over the page is loaded when it is
 * first needed, so it is no island of any page.
 */
export function mountPortal(id: string, content: ReactNode): void {
  const place = document.createElement('div')
  place.id = id
  document.body.append(place)
  createRoot(place, { identifierPrefix: `${id}-` }).render(content)
}
