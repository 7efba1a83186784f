// @module-tag deep
import type { ConsoleMessage, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PageErrors } from '../drivers/browser.ts'
import { setUpFixtureBrowser } from './fixture-site-browser.ts'

const fixture = setUpFixtureBrowser()
let page: Page
let errors: PageErrors

beforeEach(async () => {
  page = await fixture.context.newPage()
  errors = new PageErrors(page)
})

afterEach(() => expect(errors.unexpectedErrors()).toEqual([]))

const counter = (label: string) => page.getByRole('button', { name: label, exact: true })
const island = (label: string) => page.locator('m-island').filter({ has: counter(label) })
const liveCounter = (label: string) =>
  page.locator('m-island[data-live]').getByRole('button', { name: label, exact: true })

/** Keeps the browser waiting for files of that name until the answer is called. */
async function holdAsset(file: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(new RegExp(`/assets/${file}`), async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Keeps the triggers of the islands in the order in which they become live. */
const recordLiveOrder = `
  window.liveOrder = []
  new MutationObserver((changes) => {
    for (const { target } of changes) liveOrder.push(target.dataset.on)
  }).observe(document, { subtree: true, attributeFilter: ['data-live'] })`

describe('the hydration trigger of an island', () => {
  it('on load: it is live without being touched', async () => {
    await page.goto('/')
    await liveCounter('Load').waitFor()
    await counter('Load').click()
    expect(await counter('Load').textContent()).toBe('6')
  })

  it('on afterLoad: it becomes live by itself, after the islands of load', async () => {
    await page.addInitScript(recordLiveOrder)
    await page.goto('/')
    await liveCounter('After load').waitFor()
    await liveCounter('Load').waitFor()
    const order = await page.evaluate<string[]>('liveOrder')
    expect(order.filter((trigger) => /load/i.test(trigger))).toEqual(['load', 'afterLoad'])
  })

  it('on idle: it becomes live by itself', async () => {
    await page.goto('/')
    await liveCounter('Idle').waitFor()
  })

  it('on visible: it waits until it comes into view, although it has no box', async () => {
    await page.goto('/')
    await liveCounter('Idle').waitFor()
    expect(await island('Visible').getAttribute('data-live')).toBeNull()
    await counter('Visible').scrollIntoViewIfNeeded()
    await liveCounter('Visible').waitFor()
  })

  it('on interaction: it waits until it is touched, and the touch counts', async () => {
    await page.goto('/')
    await liveCounter('Idle').waitFor()
    expect(await island('Interaction').getAttribute('data-live')).toBeNull()
    await counter('Interaction').click()
    await liveCounter('Interaction').waitFor()
    await expect.poll(() => counter('Interaction').textContent()).toBe('6')
  })

  it('hydrates a visible island early when it is focused by keyboard', async () => {
    await page.goto('/')
    await counter('Visible').focus()
    await liveCounter('Visible').waitFor()
  })

  it('loads React only when an island needs it', async () => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.addInitScript('window.requestIdleCallback = () => 0')
    await page.goto('/form', { waitUntil: 'networkidle' })
    expect(scripts).toEqual([expect.stringContaining('/assets/main-')])
    await page.locator('[name=username]').focus()
    await page.waitForFunction(() => document.querySelector('main m-island[data-live]'))
    expect(scripts).toContainEqual(expect.stringContaining('/assets/react-'))
  })
})

describe('input before an island is live', () => {
  it('clicks again a button that was clicked while the chunk was on its way', async () => {
    const release = await holdAsset('eager')
    await page.goto('/')
    await counter('Load').click()
    expect(await counter('Load').textContent()).toBe('5')
    release()
    await expect.poll(() => counter('Load').textContent()).toBe('6')
  })

  it('keeps what was typed, ticked and chosen, and the position of the caret', async () => {
    const release = await holdAsset('eager')
    await page.goto('/form')
    await page.locator('[name=city]').selectOption('van')
    await page.locator('[name=about]').fill('iki satır')
    await page.locator('[name=gender][value=male]').check()
    await page.locator('[name=agreed]').check()
    await page.locator('[name=username]').pressSequentially('Işıl')
    await page.keyboard.press('Home')
    release()
    const state = { name: 'Işıl', about: 'iki satır', city: 'van', gender: 'male', agreed: true }
    const readState = async () => JSON.parse((await page.locator('output').textContent()) || 'null')
    await expect.poll(readState).toEqual(state)
    await page.keyboard.type('_')
    expect(await page.locator('[name=username]').inputValue()).toBe('_Işıl')
    expect(await page.locator('[name=gender][value=male]').isChecked()).toBe(true)
  })

  it('becomes live though the first try to load the chunk did not get through', async () => {
    errors.allow(/Failed to load resource|net::ERR/)
    await page.route(/\/assets\/eager/, (route) => route.abort(), { times: 1 })
    await page.goto('/form')
    await page.locator('[name=username]').pressSequentially('Ali')
    await expect.poll(() => page.locator('output').textContent()).toContain('"name":"Ali"')
  })

  it('tries again at the next touch of the page when the chunk could not be loaded', async () => {
    errors.allow(/Failed to load resource|net::ERR/)
    const isFailed = (line: ConsoleMessage): boolean => line.type() === 'warning' && line.text().includes('eager')
    await page.route(/\/assets\/eager/, (route) => route.abort())
    await page.goto('/form')
    const failed = page.waitForEvent('console', { predicate: isFailed })
    await page.locator('[name=username]').pressSequentially('Ali')
    await failed
    await page.unroute(/\/assets\/eager/)
    await page.locator('body').press('Shift')
    await expect.poll(() => page.locator('output').textContent()).toContain('"name":"Ali"')
  })
})

describe('hydration', () => {
  it('keeps the ids that the server gave, and gives every island its own', async () => {
    await page.goto('/')
    const ids = () => page.locator('m-island button').evaluateAll((all) => all.map((one) => one.dataset.id))
    const before = await page.locator('m-island span').evaluateAll((all) => all.map((one) => one.id))
    await counter('Interaction').click()
    await counter('Visible').click()
    await page.waitForFunction(() => document.querySelectorAll('m-island:not([data-live])').length === 0)
    expect(await ids()).toEqual(before)
    expect(new Set(before).size).toBe(6)
  })

  it('keeps the elements that the server rendered when a signal changed before a lazy island hydrates', async () => {
    await page.goto('/signals')
    await page.locator('m-island[data-live] >> text=Add').click()
    const rendered = await page.locator('output').elementHandle()
    await page.locator('output').dispatchEvent('pointerdown')
    await expect.poll(() => page.locator('output').textContent()).toBe('1')
    expect(await rendered?.evaluate((element) => element.isConnected)).toBe(true)
    await page.getByText('Add').click()
    await expect.poll(() => page.locator('output').textContent()).toBe('2')
  })
})

describe('an object that two islands get', () => {
  it('is in the page once, and hydrates both', async () => {
    await page.goto('/shared')
    await expect.poll(() => page.locator('m-island[data-live] ul').count()).toBe(2)
    const blocks = await page.locator('script[data-props]').allTextContents()
    expect(blocks.join('').split('"Ada"')).toHaveLength(2)
    expect(await page.locator('ul[aria-label=Frame] li, ul[aria-label=Page] li').allTextContents()).toEqual([
      'Ada',
      '</script>',
      'Ada',
      '</script>',
    ])
  })
})

describe('two requests', () => {
  it('do not see each other’s data when 60 run concurrently', async () => {
    const starts = Array.from({ length: 60 }, (_, index) => 1000 + index)
    const texts = await Promise.all(
      starts.map(async (start) => (await fetch(`${fixture.site.origin}/?start=${start}`)).text()),
    )
    const found = texts.map((text) => [...new Set(text.match(/\b1\d{3}\b/g))].map(Number))
    expect(found).toEqual(starts.map((start) => [start]))
  })

  it('do not meet in a module signal: writing one while rendering is a failed page', async () => {
    expect((await fetch(`${fixture.site.origin}/leak`)).status).toBe(500)
    expect(await (await fetch(`${fixture.site.origin}/signals`)).text()).not.toContain('4711')
  })
})
