// @module-tag deep
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { root, type Site } from '../../vite.config.ts'
import { launchTestBrowser, PageErrors } from '../drivers/browser.ts'
import { FIXTURE_SITE, type FixtureSite, serveFixtures } from './serve-fixtures.ts'

// As deep as the fixtures, whose imports lead out of their folder.
const copy: Site = { sources: '.cache/copies/development', builds: '.cache/copies/none' }
let site: FixtureSite
let browser: Browser
let page: Page
let errors: PageErrors

beforeAll(async () => {
  cpSync(join(root, FIXTURE_SITE.sources), join(root, copy.sources), { recursive: true })
  site = await serveFixtures(copy, { dev: true })
  browser = await launchTestBrowser()
})

afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(join(root, copy.sources), { recursive: true })
})

beforeEach(async () => {
  page = await browser.newPage()
  errors = new PageErrors(page)
  const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'))
  await page.goto(site.origin)
  await connected
  await page.locator('m-island[data-live] >> text=5').first().waitFor()
})

// The server waits at its end for connections of open pages.
afterEach(() => page.context().close())

function change(file: string, from: string, to: string): void {
  const path = join(root, copy.sources, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

it('serves pages under the same policy, styles linked before any script', async () => {
  expect(
    await page.locator('link[rel=stylesheet]').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual([`/${copy.sources}/pieces/counter.css`, `/${copy.sources}/page/routes/_app.css`])
  expect(errors.unexpectedErrors()).toEqual([])
})

it('replaces a changed style without a reload', async () => {
  await page.evaluate(() => document.documentElement.setAttribute('data-witness', ''))
  change('pieces/counter.css', 'rgb(1, 2, 3)', 'rgb(7, 8, 9)')
  const color = () =>
    page
      .locator('.counter')
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  await expect.poll(color).toBe('rgb(7, 8, 9)')
  expect(await page.locator('html').getAttribute('data-witness')).toBe('')
})

it('reloads when an island changes', async () => {
  change('pieces/counter.island.tsx', '{count}\n', '{count}!\n')
  await page.locator('m-island[data-live] >> text=5!').first().waitFor()
})

it('reloads when a page changes, which only the server renders', async () => {
  change('page/routes/index.tsx', '<div className="fold" />', '<h1>Changed</h1><div className="fold" />')
  await page.locator('h1:text-is("Changed")').waitFor()
})
