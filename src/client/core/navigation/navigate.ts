import { hydrateIslands, unmountIslands } from '../islands/hydrate.ts'
import { hideLoading, showLoading } from '../loading/loading-indicator.ts'
import { leaveLayerEntries } from './close-on-back.ts'
import { isOwnRoomLink, isPlainPress } from './own-room-link.ts'
import { allowUnload } from './unload-guard.ts'

/** Detail of the `meydan:navigated` event, sent on `document` when another page has taken the main part. */
interface Navigated {
  url: string
}

/** The state of a page's entry of the history. */
export interface PageState {
  /** Back leads to another room in the same document. */
  isFromRoom: true
}

let currentNavigation: AbortController | null = null
/** The path and query of the page in `<main>`; a new hash and an open profile (profiles/profile-link.ts) are no new page. */
let shownPath = ''

/**
 * Moves between rooms without reloading the document: only `<main>` is replaced by the server's HTML, so header,
 * panels, windows, call and socket stay. The browser handles other links and failed moves.
 */
export function startNavigation(): void {
  shownPath = pathOf(location)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || !isPlainClick(event, link) || !isRoomUrl(location) || !isRoomUrl(link)) return
    // The browser follows a skip link itself: it moves the focus.
    if (link.matches('.skip-link')) return
    event.preventDefault()
    navigateTo(link.href, true)
  })
  window.addEventListener('popstate', () => {
    if (pathOf(location) !== shownPath) navigateTo(location.href, false)
  })
}

/** @param isNewEntry false: the browser has moved to the page's entry of the history already */
async function navigateTo(url: string, isNewEntry: boolean): Promise<void> {
  currentNavigation?.abort()
  const move = new AbortController()
  currentNavigation = move
  showLoading()
  try {
    const page = await fetchMainPart(url, move.signal)
    await Promise.all(missingStyles(page).map(loadStyle))
    if (isNewEntry) await leaveLayerEntries()
    if (move.signal.aborted) return
    if (isNewEntry) history.pushState({ isFromRoom: true } satisfies PageState, '', url)
    shownPath = pathOf(location)
    swapMain(page)
    hideLoading()
    document.dispatchEvent(new CustomEvent<Navigated>('meydan:navigated', { detail: { url } }))
  } catch {
    if (move.signal.aborted) return
    // The present page can still be read; the browser could show only its error.
    if (isNewEntry && !navigator.onLine) return hideLoading()
    allowUnload()
    location.assign(url)
  }
}

/** Throws unless the answer is a main part that fits this document: of the same page file and the same build. */
async function fetchMainPart(url: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(url, { headers: { 'X-Meydan-Partial': 'main' }, signal })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fits = pageIdentityOf(page) === pageIdentityOf(document)
  if (!response.ok || response.redirected || !fits) throw new Error('not a part of this document')
  return page
}

/** What two pages must have in common so that one can take the other's place. */
function pageIdentityOf(page: Document): string {
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

function loadStyle(style: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    style.addEventListener('load', () => resolve())
    style.addEventListener('error', reject)
    document.head.append(document.adoptNode(style))
  })
}

function swapMain(page: Document): void {
  const former = document.querySelector('main')
  const next = page.querySelector('main')
  if (!former || !next) throw new Error('a page without a main part')
  unmountIslands(former)
  former.replaceWith(document.adoptNode(next))
  document.title = page.title
  window.scrollTo(0, 0)
  hydrateIslands(next)
  next.focus({ preventScroll: true })
  announceTitle(page.title)
}

/** Screen readers say a page's title only when a document loads; here a live region of the shell says it. */
function announceTitle(title: string): void {
  const region = document.querySelector('#announcer')
  if (region) region.textContent = title
}

function pathOf(place: Location): string {
  return place.pathname + place.search.replace(/^\?profil=[^&]*$/, '')
}

function isRoomUrl(place: { origin: string; pathname: string }): boolean {
  return place.origin === location.origin && place.pathname.startsWith('/room/')
}

function isPlainClick(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isForTab = link.target !== '' && link.target !== '_self' && !isOwnRoomLink(link)
  return isPlainPress(event) && !isForTab && !link.hasAttribute('download')
}
