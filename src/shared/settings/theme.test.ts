import { expect, it } from 'vitest'
import { parseTheme, themeColor } from './theme.ts'

it('[SET-05] reads the three themes, and dark from everything else', () => {
  expect(['dark', 'light', 'system'].map(parseTheme)).toEqual(['dark', 'light', 'system'])
  expect([undefined, '', 'Light', 'auto', 'constructor'].map(parseTheme)).toEqual(Array(5).fill('dark'))
})

it("[SET-09] gives the browser's interface the colour of the theme, and of the system's for 'Sistem'", () => {
  const colors = (theme: string) => [themeColor(parseTheme(theme), 'dark'), themeColor(parseTheme(theme), 'light')]
  const [dark, light] = colors('system')
  expect(dark).not.toBe(light)
  expect(colors('dark')).toEqual([dark, dark])
  expect(colors('light')).toEqual([light, light])
})
