import type { Boot } from '../../../client/core/session/boot.ts'
import { type Theme, themeColor } from '../../../shared/settings/theme.ts'
import type { RenderedPage } from './bundle.tsx'
import { escapeHtml } from './escape-html.ts'
import { jsonBlock } from './json-block.ts'
import { maskTokens } from './mask-tokens.ts'
import { type PageShare, shareTags } from './share-tags.ts'

/** URLs that a page needs, from the build or from Vite. */
export interface PageAssets {
  /** Id of the build; the client does not insert a partial of another build. */
  build: string
  scripts: string[]
  styles: string[]
  modulePreloads: string[]
}

interface DocumentContext {
  theme: Theme
  nonce: string
  boot: Boot
  /** null: only a visitor with a session gets the page, or it is an error. */
  share: PageShare | null
}

export interface RenderContext extends DocumentContext {
  /** Renders only the main part, for a navigation within the document. */
  partial: boolean
}

const colorSchemes = ['light', 'dark'] as const

/** Builds the document, or the partial for a navigation, from a rendered page. */
export function assembleDocument(page: RenderedPage, assets: PageAssets, context: RenderContext): string {
  return context.partial ? renderPartial(page, assets) : renderDocument(page, assets, context)
}

/** The whole document. It contains no inline script and no inline style. */
function renderDocument(
  page: RenderedPage,
  assets: PageAssets,
  { theme, nonce, boot, share }: DocumentContext,
): string {
  const head = [
    '<meta charset="utf-8">',
    // The specification disables zoom.
    '<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no, ' +
      'viewport-fit=cover, interactive-widget=resizes-content">',
    `<meta name="build" content="${assets.build}">`,
    // Vite sets this nonce on elements that it inserts later.
    `<meta property="csp-nonce" nonce="${nonce}">`,
    `<title>${escapeHtml(page.title)}</title>`,
    page.description === null ? '' : `<meta name="description" content="${escapeHtml(page.description)}">`,
    ...(share ? shareTags(page, share) : []),
    `<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">`,
    ...colorSchemes.map(
      (scheme) =>
        `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${themeColor(theme, scheme)}">`,
    ),
    '<link rel="manifest" href="/manifest.webmanifest">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    ...page.fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`),
    // Rendering waits for the whole page (HTML, "blocking"); otherwise the thread would grow while it loads.
    '<link rel="expect" href="#announcer" blocking="render">',
    ...assets.styles.map(styleLink),
    ...assets.scripts.map((src) => `<script type="module" src="${src}" nonce="${nonce}"></script>`),
    // The page is readable without its scripts: they do not compete with the styles and pictures of the first paint.
    ...assets.modulePreloads.map(
      (href) => `<link rel="modulepreload" href="${href}" nonce="${nonce}" fetchpriority="low">`,
    ),
  ]
  const body = page.html + jsonBlock('id="boot"', maskTokens(boot))
  return `<!doctype html><html lang="tr" data-theme="${theme}"><head>${head.join('')}</head><body>${body}</body></html>`
}

/** The partial that `navigate.ts` requests: the main part with its title and styles. */
function renderPartial(page: RenderedPage, assets: PageAssets): string {
  const build = `<meta name="build" content="${assets.build}">`
  return `<title>${escapeHtml(page.title)}</title>${build}${assets.styles.map(styleLink).join('')}${page.html}`
}

function styleLink(href: string): string {
  return `<link rel="stylesheet" href="${href}">`
}
