// @module-tag deep
import type { CDPSession, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PageErrors } from '../drivers/browser.ts'
import { setUpFixtureBrowser } from './fixture-site-browser.ts'

const fixture = setUpFixtureBrowser()
let page: Page
let errors: PageErrors

beforeEach(async () => {
  page = await fixture.context.newPage()
  errors = new PageErrors(page)
  await page.goto('/room/1')
  await waitForRoom(1)
  // Survives for as long as the document does.
  await page.evaluate(() => document.documentElement.setAttribute('data-witness', ''))
})

afterEach(() => expect(errors.unexpectedErrors()).toEqual([]))

const sameDocument = () => page.evaluate(() => document.documentElement.hasAttribute('data-witness'))
const clickLink = (name: string) => page.getByRole('link', { name, exact: true }).click()

async function waitForRoom(id: number): Promise<void> {
  await page.locator(`main h1:text-is("Room ${id}")`).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('main m-island[data-live]').length === 2)
}

describe('moving between rooms', () => {
  it('swaps the main part and leaves the document and the shell as they are', async () => {
    const header = page.getByRole('button', { name: 'Header', exact: true })
    await page.locator('header m-island[data-live]').getByRole('button').click()
    await clickLink('Next')
    await waitForRoom(2)
    expect(await sameDocument()).toBe(true)
    expect(await header.textContent()).toBe('1')
    expect([page.url(), await page.title()]).toEqual([`${fixture.site.origin}/room/2`, 'Room 2'])
  })

  it('hydrates the new islands, with ids that no island of the document has', async () => {
    await clickLink('Next')
    await waitForRoom(2)
    const button = page.getByRole('button', { name: 'Room 2' })
    await button.click()
    expect(await button.textContent()).toBe('3')
    const ids = await page.locator('[id]').evaluateAll((all) => all.map((element) => element.id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('puts the focus into the new page and announces it', async () => {
    await clickLink('Next')
    await waitForRoom(2)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    expect(await page.locator('#announcer').textContent()).toBe('Room 2')
  })

  it('dispatches meydan:navigated with the address', async () => {
    const navigated = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('meydan:navigated', (event) => resolve((event as CustomEvent).detail))
        }),
    )
    await clickLink('Next')
    expect(await navigated).toEqual({ url: `${fixture.site.origin}/room/2` })
  })

  it('goes back and forward', async () => {
    await clickLink('Next')
    await waitForRoom(2)
    await page.goBack()
    await waitForRoom(1)
    await page.goForward()
    await waitForRoom(2)
    expect(await sameDocument()).toBe(true)
  })

  it('shows the page of the last of two clicks, in any order of answers', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/room/2', async (route) => {
      await released
      await route.continue().catch(() => {})
    })
    await clickLink('Next')
    await page.evaluate(() => {
      const link = document.querySelector('main a')
      link?.setAttribute('href', '/room/3')
    })
    await clickLink('Next')
    await waitForRoom(3)
    release()
    await page.evaluate(() => fetch('/room/3'))
    expect(await page.locator('main h1').textContent()).toBe('Room 3')
    expect(page.url()).toBe(`${fixture.site.origin}/room/3`)
  })
})

describe('a full navigation by the browser', () => {
  it('follows a link out of the rooms', async () => {
    await clickLink('Out')
    await page.waitForURL(`${fixture.site.origin}/`)
    expect(await sameDocument()).toBe(false)
  })

  it('opens a tab on a click with a modifier key', async () => {
    const tab = fixture.context.waitForEvent('page')
    await page.getByRole('link', { name: 'Next' }).click({ modifiers: ['ControlOrMeta'] })
    await (await tab).close()
    expect(page.url()).toBe(`${fixture.site.origin}/room/1`)
  })

  it('loads a missing page', async () => {
    errors.allow(/404/)
    await clickLink('Nowhere')
    await page.waitForURL(`${fixture.site.origin}/room/nowhere`)
    expect(await sameDocument()).toBe(false)
  })

  it('loads a page with another frame', async () => {
    await clickLink('Framed')
    await page.locator('aside:text-is("Frame")').waitFor()
    expect(await sameDocument()).toBe(false)
  })

  it('follows an answer that redirects', async () => {
    await clickLink('Moved')
    await page.waitForURL(`${fixture.site.origin}/`)
    expect(await sameDocument()).toBe(false)
  })

  it('reloads after a failed fetch', async () => {
    errors.allow(/ERR_FAILED/)
    await page.route('**/room/2', (route) => route.abort(), { times: 1 })
    await clickLink('Next')
    await waitForRoom(2)
    expect(await sameDocument()).toBe(false)
  })

  it('stays while the browser is offline', async () => {
    errors.allow(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    const failed = page.waitForEvent('requestfailed')
    await clickLink('Next')
    await failed
    expect(await sameDocument()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/room/1')
    await page.context().setOffline(false)
    await clickLink('Next')
    await waitForRoom(2)
    expect(await sameDocument()).toBe(true)
  })

  it('reloads for a part of another build', async () => {
    await page.route('**/room/2', async (route) => {
      const response = await route.fetch()
      const other = (await response.text()).replace(/(name="build" content=")\w+/, '$1another')
      await route.fulfill({ response, body: other })
    })
    await clickLink('Next')
    await waitForRoom(2)
    expect(await sameDocument()).toBe(false)
  })
})

describe('sixty moves', () => {
  /** Nodes and listeners of the page after a garbage collection. */
  async function readHeap(devtools: CDPSession) {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return { nodes: value('Nodes'), listeners: value('JSEventListeners') }
  }

  async function move(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const next = Number(page.url().split('/').at(-1)) + 1
      await clickLink('Next')
      await waitForRoom(next)
    }
  }

  it('leave nothing behind: no mounted root, no node, no listener', async () => {
    const devtools = await fixture.context.newCDPSession(page)
    await devtools.send('Performance.enable')
    await move(10)
    const before = await readHeap(devtools)
    await move(50)
    const after = await readHeap(devtools)
    expect(await page.evaluate(() => window.residents)).toBe(1)
    expect(after.nodes - before.nodes).toBeLessThan(50)
    expect(after.listeners - before.listeners).toBeLessThan(20)
  })
})
