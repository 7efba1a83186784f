import { createContext, createElement, type ReactNode, useContext } from 'react'
import { renderToString } from 'react-dom/server'

/**
 * When the browser makes an island live: at once, after the islands of `load`, when idle, when it comes into view, or at an
 * interaction.
 */
export type HydrateOn = 'load' | 'afterLoad' | 'idle' | 'visible' | 'interaction'

/** Collects the islands of one part (the shell or the main part) while the server renders it. */
export interface IslandCollector {
  /** Adds an island. Returns its name for the client and its id, which prefixes its `useId`s. */
  add(component: unknown, on: HydrateOn, props: object): { name: string; id: string }
  /** The HTML of an island, rendered or of an earlier page with the same values. */
  html(island: { name: string; id: string }, values: unknown, render: () => string): string
}

/**
 * The props of an island as the page carries them: a value that an earlier island of the page has too is sent once, and
 * this island names that island's id and prop.
 */
export type SentProps = readonly [
  own: Record<string, unknown>,
  shared?: Readonly<Record<string, readonly [id: string, prop: string]>>,
]

export const IslandContext = createContext<IslandCollector | null>(null)

/** Values that JSON carries from server to browser: no functions, no class instances. */
type Serialisable<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { [K in keyof T]: Serialisable<T[K]> }
      : never

type IslandProps<P extends object> = {
  is: (props: P) => ReactNode
  on: HydrateOn
  /** The values on which its HTML depends, if these are not its props. */
  values?: readonly unknown[]
} & NoInfer<P & Serialisable<P>>

/**
 * Renders a component of an `*.island.tsx` file, which becomes live in the browser; everything around it stays
 * plain HTML. Server only: pages and their components use it, islands do not.
 * It has its own render because it is hydrated by itself: rendered inline, `useId` would differ.
 */
export function Island<P extends object>({ is, on, ...rest }: IslandProps<P>): ReactNode {
  const collector = useContext(IslandContext)
  if (!collector) throw new Error('<Island> can only be rendered by a page.')
  const { values, ...own } = rest
  // The rest is the component's props; TypeScript cannot omit keys from a generic.
  const props = own as unknown as P
  const island = collector.add(is, on, props)
  const { name, id } = island
  const render = (): string => renderToString(createElement(is, props), { identifierPrefix: id })
  const html = collector.html(island, values ?? props, render)
  return createElement('m-island', { id, 'data-name': name, 'data-on': on, dangerouslySetInnerHTML: { __html: html } })
}
