import { expect, it } from 'vitest'
import { assembleDocument } from './document.ts'

const page = { title: 'Meydan', description: null, html: '<main></main>', fonts: [], eagerIslands: [] }
const assets = { build: 'b', scripts: [], styles: [], modulePreloads: [] }
const documentOf = (theme: 'dark' | 'light' | 'system'): string =>
  assembleDocument(page, assets, { theme, nonce: '', boot: {}, share: null, partial: false })
const themeColorsOf = (html: string): (string | undefined)[] =>
  ['light', 'dark'].map(
    (scheme) =>
      new RegExp(`<meta name="theme-color" media="\\(prefers-color-scheme: ${scheme}\\)" content="(.+?)">`).exec(
        html,
      )?.[1],
  )

it("[SET-09] leaves the choice of 'Sistem' to the browser, in its interface's colours too", () => {
  const html = documentOf('system')
  expect(html).toContain('<html lang="tr" data-theme="system">')
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  const [light, dark] = themeColorsOf(html)
  expect(light).toMatch(/^#/)
  expect(dark).not.toBe(light)
  expect(themeColorsOf(documentOf('dark'))).toEqual([dark, dark])
  expect(themeColorsOf(documentOf('light'))).toEqual([light, light])
})
