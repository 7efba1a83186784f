import {
  Children,
  createContext,
  createElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react'

/** The HTML of an element: rendered, or kept since an earlier page for the same component and props. */
export type RenderCached = (element: ReactElement<object>) => string

/** The server's; null where nothing is kept. */
export const RenderCachedContext = /* @__PURE__ */ createContext<RenderCached | null>(null)

/**
 * A `<div>` and a `<section>` of which the server keeps each child's HTML from one page to the next. A component among them
 * depends on its props alone: on no other context and no `useId`.
 */
export const KeptDiv = import.meta.env.SSR ? keepChildrenOf('div') : 'div'
export const KeptSection = import.meta.env.SSR ? keepChildrenOf('section') : 'section'

function keepChildrenOf(tag: 'div' | 'section') {
  return function KeptParent({ children, className }: { children: ReactNode; className: string }): ReactNode {
    const renderCached = useContext(RenderCachedContext)
    if (!renderCached) return createElement(tag, { className }, children)
    const elements = Children.toArray(children).filter((child) => isValidElement<object>(child))
    const html = elements.map(renderCached).join('')
    return createElement(tag, { className, dangerouslySetInnerHTML: { __html: html } })
  }
}
