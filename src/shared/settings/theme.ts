/** The values of the theme cookie and of `data-theme`; `system` follows the operating system. */
const themes = ['dark', 'light', 'system'] as const

export type Theme = (typeof themes)[number]

/** `--page` of styles/tokens.css. */
const pageColors = { dark: '#100f17', light: '#f4efe8' }
export type ColorScheme = keyof typeof pageColors

/** The theme of a stored value; dark is the default (specification 2, point 3). */
export function parseTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'dark'
}

/** The colour of the browser's own interface while the operating system prefers `scheme`. */
export function themeColor(theme: Theme, scheme: ColorScheme): string {
  return pageColors[theme === 'system' ? scheme : theme]
}
