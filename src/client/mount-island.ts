import { type ComponentType, createElement, type ReactNode, startTransition, useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'

/**
 * Makes one island live, until `life` is over. Loaded on demand, and React with it. `onLive` is called as soon as it
 * listens. As a transition it is rendered in slices of 5 ms, between which a slow phone can answer.
 */
export function mountIsland(
  element: Element,
  component: ComponentType,
  props: object,
  onLive: () => void,
  life: AbortSignal,
): void {
  const content = createElement(NotifyHydrated, { onLive }, createElement(component, props))
  startTransition(() => {
    const root = hydrateRoot(element, content, { identifierPrefix: element.id })
    life.addEventListener('abort', () => root.unmount())
  })
}

/** A layout effect comes before any redraw, so what was typed into a controlled field is still in it. */
function NotifyHydrated({ onLive, children }: { onLive: () => void; children?: ReactNode }): ReactNode {
  useLayoutEffect(onLive, [onLive])
  return children
}
