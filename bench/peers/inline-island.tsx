import { type ComponentType, createElement, type ReactNode } from 'react'

/** Stands in for `src/client/island.tsx` in the peer's build: the component is rendered where it stands. */
export function Island({ is, on: _, ...props }: { is: ComponentType<object>; on: string }): ReactNode {
  return createElement('m-island', null, createElement(is, props))
}
