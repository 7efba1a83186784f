import { browserEnvironment, type Theme } from '../live/environment.ts'

/** The theme of this page. */
export const currentTheme = browserEnvironment.renderedTheme

/** Applies a theme and stores it for later pages; the server reads it from the cookie. */
export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next
  browserEnvironment.browserStorage.set('theme', next)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`
}
