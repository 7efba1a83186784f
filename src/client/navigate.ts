import { hydrateIslands, unmountIslands } from './hydrate.ts'
import { hideLoading, showLoading } from './loading.ts'
import { leaveFreely } from './shell/unload.ts'

/** Detail of the `meydan:navigated` event, sent on `document` when another page has taken the main part. */
export interface Navigated {
  url: string
}

let underWay: AbortController | null = null
/** The page that `<main>` holds; a hash that changes is not another page. */
let shown = ''

/**
 * Moves between rooms without loading the document anew: only `<main>` is swapped for what the server renders,
 * so header, panels, windows, call and socket stay. Whatever is not such a move, or fails, is left to the browser.
 */
export function startNavigation(): void {
  shown = pathOf(location)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || !isPlainClick(event, link) || !isRoom(location) || !isRoom(link)) return
    event.preventDefault()
    go(link.href, () => history.pushState(null, '', link.href))
  })
  window.addEventListener('popstate', () => {
    if (pathOf(location) !== shown) go(location.href, () => {})
  })
}

async function go(url: string, enterHistory: () => void): Promise<void> {
  underWay?.abort()
  const move = new AbortController()
  underWay = move
  showLoading()
  try {
    const page = await fetchPart(url, move.signal)
    await Promise.all(missingStyles(page).map(load))
    if (move.signal.aborted) return
    enterHistory()
    shown = pathOf(location)
    swap(page)
    hideLoading()
    document.dispatchEvent(new CustomEvent<Navigated>('meydan:navigated', { detail: { url } }))
  } catch {
    if (move.signal.aborted) return
    leaveFreely()
    location.assign(url)
  }
}

/** Throws unless the answer is a main part that fits this document: of the same page file and the same build. */
async function fetchPart(url: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(url, { headers: { 'X-Meydan-Partial': 'main' }, signal })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fits = kindOf(page) === kindOf(document)
  if (!response.ok || response.redirected || !fits) throw new Error('not a part of this document')
  return page
}

/** What two pages must have in common so that one can take the other's place. */
function kindOf(page: Document): string {
  const build = page.querySelector<HTMLMetaElement>('meta[name=build]')?.content
  return `${build} ${page.querySelector('main')?.dataset.page}`
}

function missingStyles(page: Document): HTMLLinkElement[] {
  const present = new Set(
    [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')),
  )
  return [...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    (link) => !present.has(link.getAttribute('href')),
  )
}

function load(style: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    style.addEventListener('load', () => resolve())
    style.addEventListener('error', reject)
    document.head.append(document.adoptNode(style))
  })
}

function swap(page: Document): void {
  const former = document.querySelector('main')
  const next = page.querySelector('main')
  if (!former || !next) throw new Error('a page without a main part')
  unmountIslands(former)
  former.replaceWith(document.adoptNode(next))
  document.title = page.title
  window.scrollTo(0, 0)
  hydrateIslands(next)
  next.focus({ preventScroll: true })
  announce(page.title)
}

/** Screen readers say a page's title only when a document loads; here a live region of the shell says it. */
function announce(title: string): void {
  const region = document.querySelector('#announcer')
  if (region) region.textContent = title
}

function pathOf(place: Location): string {
  return place.pathname + place.search
}

function isRoom(place: { origin: string; pathname: string }): boolean {
  return place.origin === location.origin && place.pathname.startsWith('/room/')
}

function isPlainClick(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  const elsewhere = (link.target !== '' && link.target !== '_self') || link.hasAttribute('download')
  return !event.defaultPrevented && event.button === 0 && !modified && !elsewhere
}
