import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { SiteProcess } from '../drivers/site-process.ts'
import { populateRoom } from '../fixtures/populate-room.ts'
import { screens } from '../screens/all-screens.ts'
import { journey } from './journey.ts'

/** The short one, which pages are half as long at reading. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** All that axe knows is looked for in one theme, and what comes of colours in the other too: nothing else differs. */
const THEME_RUNS: [name: string, looked: RunOptions][] = [
  ['dark', {}],
  ['light', { runOnly: ['color-contrast', 'link-in-text-block'] }],
]

/** What axe holds to be serious or worse, each with the elements that it is about. */
async function findAxeViolations(page: Page, looked: RunOptions): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...looked })
  const violations = await page.evaluate<AxeResults['violations']>(`axe.run(${options}).then((all) => all.violations)`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const populatedSites = new WeakSet<SiteProcess>()

/** On a square where people are and have been talking. */
const populatedJourney = journey.extend<{ people: undefined }>({
  people: [
    async ({ site }, use) => {
      if (!populatedSites.has(site)) await populateRoom(site)
      populatedSites.add(site)
      await use(undefined)
    },
    { auto: true },
  ],
})

/** Every screen on one device, in both themes. Each device is a file of its own, so that two run side by side. */
export function testScreenAccessibility(device: 'phone' | 'desktop'): void {
  describe(`axe finds nothing serious on a ${device}`, () => {
    for (const screen of screens) {
      populatedJourney(`${screen.name}, dark and light`, async ({ site, phone, desktop }) => {
        const visitor = await (device === 'phone' ? phone : desktop)({ reducedMotion: 'reduce' })
        if (screen.expectedError) visitor.errors.allow(screen.expectedError)
        await screen.open(visitor, site)
        await visitor.page.evaluate(axe)
        for (const [theme, looked] of THEME_RUNS) {
          await visitor.page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await findAxeViolations(visitor.page, looked), theme).toEqual([])
        }
      })
    }
  })
}
