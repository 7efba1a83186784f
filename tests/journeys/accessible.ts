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

/** Every screen on one device, in both themes. Each device is a file of its own, so that two run side by side. */
export function screensAreAccessible(device: 'phone' | 'desktop'): void {
  describe(`axe finds nothing serious on a ${device}`, () => {
    for (const screen of screens) {
      livelyJourney(`${screen.name}, dark and light`, async ({ site, phone, desktop }) => {
        const visitor = await (device === 'phone' ? phone : desktop)({ reducedMotion: 'reduce' })
        if (screen.complaint) visitor.errors.expect(screen.complaint)
        await screen.show(visitor, site)
        for (const theme of ['dark', 'light']) {
          await visitor.page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await faultsOf(visitor.page)).toEqual([])
        }
      })
    }
  })
}
