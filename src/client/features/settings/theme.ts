import { type Theme, themeColor } from '../../../shared/settings/theme.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'

/** The theme of this page. */
export const currentTheme = browserEnvironment.renderedTheme

/** Applies a theme and stores it for later pages; the server reads it from the cookie. */
export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = themeColor(next, meta.getAttribute('media')?.includes('light') ? 'light' : 'dark')
  browserEnvironment.browserStorage.set('theme', next)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`
}

/** Switches to the other one of dark and light. */
export function toggleTheme(): void {
  const theme = currentTheme()
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
  setTheme(isDark ? 'light' : 'dark')
}
