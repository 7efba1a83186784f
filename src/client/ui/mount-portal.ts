import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * Renders content in a root of its own at the end of the body, where it survives navigations. For parts that load on
 * demand and so are no islands.
 */
export function mountPortal(id: string, content: ReactNode): void {
  const container = document.createElement('div')
  container.id = id
  document.body.append(container)
  createRoot(container, { identifierPrefix: `${id}-` }).render(content)
}
