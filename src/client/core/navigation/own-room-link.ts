const ROOM_PATH = /^\/room\/[1-9]\d*$/

type Place = Pick<URL, 'origin' | 'pathname'>

/** Whether a URL is that of a room of this site: compared are the parts that the browser has parsed, not the text. */
export function isOwnRoom(url: Place, site: Pick<Place, 'origin'>): boolean {
  return url.origin === site.origin && ROOM_PATH.test(url.pathname)
}

/** Whether a link in a user's text (ui/web-link.tsx) leads to a room of this site: it opens in the page, not in a new tab. */
export function isOwnRoomLink(link: HTMLAnchorElement): boolean {
  return link.relList.contains('ugc') && isOwnRoom(link, location)
}

/** Whether a click opens a link here: with a modifier or the middle button it opens a tab. */
export function isPlainPress(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !event.defaultPrevented && event.button === 0 && !modified
}
