import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * Renders content in a root of its own at the end of the body, or of another part of the page that survives navigations.
 * For parts that load on demand and so are no islands.
 */
export function mountPortal(id: string, content: ReactNode, parent: Element = document.body): void {
  const container = document.createElement('div')
  container.id = id
  parent.append(container)
  createRoot(container, { identifierPrefix: `${id}-` }).render(content)
}
