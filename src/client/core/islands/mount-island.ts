import { type ComponentType, createElement, type ReactNode, startTransition, useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { recordInput } from './replay-input.ts'

/**
 * Makes one island live until `lifetime` is aborted. Loaded on demand together with React. `onLive` is called once the
 * island handles events. A transition renders in slices of 5 ms, so a slow phone stays responsive.
 */
export function mountIsland(
  element: Element,
  component: ComponentType,
  props: object,
  onLive: () => void,
  lifetime: AbortSignal,
): void {
  const takeOver = (): void => {
    const replayInput = recordInput(element)
    // React handles events only after its commit.
    queueMicrotask(replayInput)
    onLive()
  }
  const content = createElement(NotifyHydrated, { onLive: takeOver }, createElement(component, props))
  startTransition(() => {
    const root = hydrateRoot(element, content, { identifierPrefix: element.id })
    lifetime.addEventListener('abort', () => root.unmount())
  })
}

/** A layout effect runs before any redraw, so a controlled field still has the text typed before hydration. */
function NotifyHydrated({ onLive, children }: { onLive: () => void; children?: ReactNode }): ReactNode {
  useLayoutEffect(onLive, [onLive])
  return children
}
