import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { populate } from '../populate.ts'
import { screens } from '../screens.ts'
import type { Site } from '../site.ts'
import { journey } from './journey.ts'

/** What axe holds to be serious or worse, each with the elements that it is about. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const lively = new WeakSet<Site>()

/** On a square where people are and have been talking. */
const livelyJourney = journey.extend<{ people: undefined }>({
  people: [
    async ({ site }, use) => {
      if (!lively.has(site)) await populate(site)
      lively.add(site)
      await use(undefined)
    },
    { auto: true },
  ],
})

describe('axe finds nothing serious', () => {
  for (const screen of screens) {
    for (const device of ['phone', 'desktop'] as const) {
      livelyJourney(`${screen.name} on a ${device}, dark and light`, async ({ site, phone, desktop }) => {
        const visitor = await (device === 'phone' ? phone : desktop)({ reducedMotion: 'reduce' })
        if (screen.complaint) visitor.errors.expect(screen.complaint)
        await screen.show(visitor, site)
        for (const theme of ['dark', 'light']) {
          await visitor.page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await faultsOf(visitor.page)).toEqual([])
        }
      })
    }
  }
})
