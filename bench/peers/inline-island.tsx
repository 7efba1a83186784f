import { type ComponentType, createElement, type ReactNode } from 'react'

/** Replaces `src/client/core/islands/island.tsx` in the peer's build: renders the component inline. */
export function Island({ is, on: _, ...props }: { is: ComponentType<object>; on: string }): ReactNode {
  return createElement('m-island', null, createElement(is, props))
}
