/**
 * Entry of the pages bundle, the only part of the server that Vite builds: React, all pages and all islands. It renders a
 * page to HTML; `renderer.ts` loads it and adds the document.
 */
import { type ComponentType, createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type IslandCollector, IslandContext, type SentProps } from '../../../client/core/islands/island.tsx'
import type { Boot } from '../../../client/core/session/boot.ts'
import { reuseHtml } from './island-cache.ts'
import { jsonBlock } from './json-block.ts'

interface PageModule {
  Page: ComponentType<object>
  /** Wraps the main part, and stays mounted on navigation between pages of the same file. */
  Frame?: ComponentType<{ main: ReactNode }>
  title: (props: object) => string
  description?: (props: object) => string
}

interface AppModule {
  App: ComponentType<Boot & { main: ReactNode }>
  /** URLs of the fonts that the first screen needs. */
  fonts?: string[]
}

/** One page as HTML, without the document around it. */
export interface RenderedPage {
  title: string
  description: string | null
  /** The content of the body, or only `<main>` for a partial. */
  html: string
  fonts: string[]
  /** Paths of the island files that hydrate at once. */
  eagerIslands: string[]
}

const pages = import.meta.glob<PageModule>('@site/page/routes/**/*.tsx', { eager: true })
const islands = import.meta.glob<Record<string, unknown>>('@site/**/*.island.tsx', { eager: true })

const namesByComponent = new Map(
  Object.entries(islands).flatMap(([path, module]) =>
    Object.entries(module).map(([name, component]) => [component, `${path}#${name}`] as const),
  ),
)
const pagesByName = new Map(
  Object.entries(pages).map(([path, module]) => [path.replace(/^.*?\/routes\//, '').replace(/\.tsx$/, ''), module]),
)
// The one route file that is not a page.
const app = pagesByName.get('_app') as unknown as AppModule

/** Counts partials, so that their ids are unique within a document. */
let partialCount = 0

/** Renders a page, with its shell unless `partial`. Throws what the page throws. */
export function renderPage(name: string, props: object, boot: Boot, partial: boolean): RenderedPage {
  const page = pagesByName.get(name)
  if (!page) throw new Error(`There is no page ${name}.`)
  const sent: SentToPage = { values: new Map(), eagerIslands: new Set() }
  const content = renderPart(
    createElement(page.Page, props),
    partial ? `p${(++partialCount).toString(36)}-` : 'm-',
    sent,
  )
  const main = createElement('main', {
    id: 'main',
    tabIndex: -1,
    'data-page': name,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React itself has just rendered it.
    dangerouslySetInnerHTML: { __html: content },
  })
  const framed = page.Frame ? createElement(page.Frame, { ...props, main }) : main
  const html = partial
    ? renderToString(main)
    : renderPart(createElement(app.App, { ...boot, main: framed }), 's-', sent)
  return {
    title: page.title(props),
    description: page.description?.(props) ?? null,
    html,
    fonts: app.fonts ?? [],
    eagerIslands: [...sent.eagerIslands],
  }
}

/** What the parts of a page have sent so far. */
interface SentToPage {
  /** The island and prop that already carry an object. */
  values: Map<object, readonly [id: string, prop: string]>
  eagerIslands: Set<string>
}

/** Renders a part, followed by the JSON block of its islands' props. */
function renderPart(content: ReactNode, prefix: string, sent: SentToPage): string {
  const props: Record<string, SentProps> = {}
  const collector: IslandCollector = {
    add(component, on, islandProps) {
      const name = namesByComponent.get(component)
      if (!name) throw new Error('An island has to be exported by an *.island.tsx file.')
      const id = `${prefix}${Object.keys(props).length.toString(36)}`
      props[id] = sendOnce(id, islandProps, sent.values)
      if (on === 'load') sent.eagerIslands.add(name.replace(/#.*$/, ''))
      return { name, id }
    },
    html: ({ name, id }, values, render) => reuseHtml(name, id, values, render),
  }
  const html = renderToString(createElement(IslandContext, { value: collector }, content))
  return Object.keys(props).length === 0 ? html : html + jsonBlock('data-props', props)
}

/** Replaces each object that an earlier island carries by its place there. */
function sendOnce(id: string, props: object, sent: SentToPage['values']): SentProps {
  const own: Record<string, unknown> = {}
  const shared: Record<string, readonly [id: string, prop: string]> = {}
  for (const [prop, value] of Object.entries(props)) {
    const object = typeof value === 'object' ? value : null
    const place = object && sent.get(object)
    if (place) shared[prop] = place
    else own[prop] = value
    if (object && !place) sent.set(object, [id, prop])
  }
  return Object.keys(shared).length === 0 ? [own] : [own, shared]
}
