import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openDesktopPage, resizeToDesktop, resizeToPhone } from '../drivers/browser.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import { populateRoom } from '../fixtures/populate-room.ts'
import { screens } from '../screens/all-screens.ts'
import type { Screen } from '../screens/screen-steps.ts'
import { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { findSmallTargets, MIN_TARGET_PX, MIN_TOUCH_TARGET_PX } from './target-sizes.ts'

type SignIn = Screen['signedInAs']

/** The minified build: its source is sent to each examined page. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs the rules that axe rates serious or worse, without what only reports need. `getRules` tells no impact, so it is read
 * from axe's own list; without that list all rules run, and the filter below has the last word.
 */
const RUN_AXE = `(() => {
  const minor = (axe._audit?.rules ?? []).filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  const rules = Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }]))
  const options = { resultTypes: ['violations'], rules, selectors: false, preload: false }
  return axe.run(options).then(({ violations }) => violations)
})()`
/** The colours of a phone are those of a desktop, and `color-contrast` is the slowest rule. */
const RUN_AXE_EXCEPT_CONTRAST = RUN_AXE.replace(
  'const options',
  "rules['color-contrast'] = { enabled: false }\n  const options",
)

/** Violations that axe rates serious or worse, each with its elements. */
async function findAxeViolations(page: Page, script: string): Promise<string[]> {
  // Only here, because screens load pages that are never examined.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource)
  const violations = await page.evaluate<AxeResults['violations']>(script)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const populatedSites = new WeakSet<SiteProcess>()

interface AccessibilityFixtures {
  people: undefined
  /** Browsers that stay signed in between screens: one for each sign-in state and site. */
  signedIn: {
    get: (key: SignIn, open: () => Promise<ChatPage>) => Promise<ChatPage>
    drop: (key: SignIn) => Promise<void> | undefined
  }
}

/** A journey in a room where people are and have written. */
const populatedJourney = journey.extend<AccessibilityFixtures>({
  people: [
    async ({ site }, use) => {
      if (!populatedSites.has(site)) await populateRoom(site)
      populatedSites.add(site)
      await use(undefined)
    },
    { auto: true },
  ],
  signedIn: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      const visitors = new Map<SignIn, ChatPage>()
      const close = (key: SignIn) => {
        const visitor = visitors.get(key)
        visitors.delete(key)
        return visitor?.page.context().close()
      }
      await use({
        get: async (key, open) => {
          // One browser at a time, so that an earlier one receives no events of this one's screens.
          for (const other of visitors.keys()) if (other !== key) await close(other)
          const visitor = visitors.get(key) ?? (await open())
          visitors.set(key, visitor)
          return visitor
        },
        drop: close,
      })
      for (const key of visitors.keys()) await close(key)
    },
    { scope: 'file' },
  ],
})

// One screen shows the real wait after joining.
populatedJourney.override('siteEnv', { MEYDAN_LIMIT_SCALE: '100' })

/**
 * Every screen of these sign-in states, opened on a desktop and then made as small as a phone, in the dark theme;
 * src/client/styles/contrast.test.ts has the colours of both themes. Opening takes most of the time, so it is done once.
 * Screens of one sign-in state follow each other, so that they share a browser.
 */
export function testScreenAccessibility(signIns: readonly SignIn[]): void {
  const ordered = signIns.flatMap((signIn) => screens.filter(({ signedInAs }) => signedInAs === signIn))
  describe('[SHELL-84] axe finds nothing serious and no target is too small, on a desktop and on a phone', () => {
    for (const screen of ordered) {
      populatedJourney(screen.name, async ({ site, browser, signedIn }) => {
        const visitor = await signedIn.get(screen.signedInAs, async () => {
          const page = await openDesktopPage(browser, {
            baseURL: site.origin,
            reducedMotion: 'reduce',
            colorScheme: 'dark',
          })
          return new ChatPage(page)
        })
        if (screen.expectedError) visitor.errors.allow(screen.expectedError)
        let isReusable = false
        try {
          await screen.open(visitor, site)
          expect(await findAxeViolations(visitor.page, RUN_AXE), 'on a desktop').toEqual([])
          expect(await findSmallTargets(visitor.page, MIN_TARGET_PX), 'targets on a desktop').toEqual([])
          await resizeToPhone(visitor.page)
          expect(await findAxeViolations(visitor.page, RUN_AXE_EXCEPT_CONTRAST), 'on a phone').toEqual([])
          expect(await findSmallTargets(visitor.page, MIN_TOUCH_TARGET_PX), 'targets on a phone').toEqual([])
          await resizeToDesktop(visitor.page)
          expect(visitor.errors.unexpectedErrors()).toEqual([])
          visitor.errors.reset()
          isReusable = screen.signedInAs !== undefined
        } finally {
          if (!isReusable) await signedIn.drop(screen.signedInAs)
        }
      })
    }
  })
}
