import { type ComponentType, createElement, type ReactNode, useLayoutEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'

/** Makes one island live. Loaded on demand, and React with it. `onLive` is called as soon as it listens. */
export function mount(element: Element, component: ComponentType, props: object, onLive: () => void): Root {
  return hydrateRoot(element, createElement(Live, { onLive }, createElement(component, props)), {
    identifierPrefix: element.id,
  })
}

/** A layout effect comes before any redraw, so what was typed into a controlled field is still in it. */
function Live({ onLive, children }: { onLive: () => void; children?: ReactNode }): ReactNode {
  useLayoutEffect(onLive, [onLive])
  return children
}
