import { browserEnvironment, type Theme } from '../live/environment.ts'

/** The theme of this page. */
export const currentTheme = browserEnvironment.renderedTheme

/** Shows a theme at once, and on every page from now on. */
export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next
  browserEnvironment.browserStorage.set('theme', next)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`
}
