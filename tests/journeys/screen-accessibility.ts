import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openDesktopPage, resizeToDesktop, resizeToPhone } from '../drivers/browser.ts'
import { startTestSite, type TestSite } from '../drivers/test-site.ts'
import { populateRoom } from '../fixtures/populate-room.ts'
import { screens } from '../screens/all-screens.ts'
import type { Screen } from '../screens/screen-steps.ts'
import { ChatPage } from './chat-page.ts'
import { type JourneyFixtures, journey } from './journey.ts'
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

interface AccessibilityFixtures {
  /** One for the screens of a file. */
  populatedSite: TestSite
  site: TestSite
  /** Browsers that stay signed in between screens: one for each sign-in state and site. */
  signedIn: {
    get: (key: SignIn, open: () => Promise<ChatPage>) => Promise<ChatPage>
    drop: (key: SignIn) => Promise<void> | undefined
  }
}

/** A journey in a room where people are and have written. */
const populatedJourney = journey.extend<AccessibilityFixtures>({
  populatedSite: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      // One screen shows the real wait after joining.
      const site = await startTestSite({ MEYDAN_LIMIT_SCALE: '100' })
      await populateRoom(site)
      await use(site)
      await site.close()
    },
    { scope: 'file' },
  ],
  site: ({ populatedSite }, use) => use(populatedSite),
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

interface View {
  size: 'desktop' | 'phone'
  theme: 'dark' | 'light'
}

const DEFAULT_VIEW: View = { size: 'desktop', theme: 'dark' }
/** Each screen in one of them, by turns. */
const VIEWS: readonly View[] = [
  DEFAULT_VIEW,
  { size: 'phone', theme: 'light' },
  { size: 'desktop', theme: 'light' },
  { size: 'phone', theme: 'dark' },
]
const TITLE = '[SHELL-84] axe finds nothing serious and no target is too small'

/** Screens of one sign-in state follow each other, so that they share a browser. */
const screensOf = (signIns: readonly SignIn[]): Screen[] =>
  signIns.flatMap((signIn) => screens.filter(({ signedInAs }) => signedInAs === signIn))

/** Every sixth screen of these sign-in states, others with another seed, in one size and theme by turns. */
export function testSomeScreens(signIns: readonly SignIn[]): void {
  const turn = Number(process.env.TEST_SEED ?? 0)
  const some = screensOf(signIns).filter((_, index) => (index + turn) % 6 === 0)
  describe(`${TITLE}, in one size and theme by turns`, () => {
    for (const [index, screen] of some.entries()) {
      const { size, theme } = VIEWS[(index + turn) % VIEWS.length] ?? DEFAULT_VIEW
      populatedJourney(`${screen.name}, ${size}, ${theme}`, ({ site, browser, signedIn }) =>
        openScreen(screen, { site, browser, signedIn, theme }, async (visitor) => {
          if (size === 'phone') await resizeToPhone(visitor.page)
          await expectAccessible(visitor, size, size === 'phone' ? RUN_AXE_EXCEPT_CONTRAST : RUN_AXE)
        }),
      )
    }
  })
}

/**
 * Every screen of these sign-in states, opened on a desktop and then made as small as a phone, in the dark theme;
 * src/client/core/styles/contrast.test.ts has the colours of both themes. Opening takes most of the time, so it is done once.
 */
export function testAllScreens(signIns: readonly SignIn[], options: { tags: string }): void {
  describe(`${TITLE}, on a desktop and on a phone`, () => {
    for (const screen of screensOf(signIns)) {
      populatedJourney(screen.name, options, ({ site, browser, signedIn }) =>
        openScreen(screen, { site, browser, signedIn, theme: 'dark' }, async (visitor) => {
          await expectAccessible(visitor, 'desktop', RUN_AXE)
          await resizeToPhone(visitor.page)
          await expectAccessible(visitor, 'phone', RUN_AXE_EXCEPT_CONTRAST)
        }),
      )
    }
  })
}

async function expectAccessible({ page }: ChatPage, size: View['size'], axe: string): Promise<void> {
  expect(await findAxeViolations(page, axe), `on a ${size}`).toEqual([])
  const minPx = size === 'phone' ? MIN_TOUCH_TARGET_PX : MIN_TARGET_PX
  expect(await findSmallTargets(page, minPx), `targets on a ${size}`).toEqual([])
}

interface ScreenOptions extends Pick<JourneyFixtures & AccessibilityFixtures, 'site' | 'browser' | 'signedIn'> {
  theme: View['theme']
}

/** Opens the screen in a browser with its sign-in state, examines it, and keeps the browser for the next screen of the state. */
async function openScreen(
  screen: Screen,
  { site, browser, signedIn, theme }: ScreenOptions,
  examine: (visitor: ChatPage) => Promise<void>,
): Promise<void> {
  const visitor = await signedIn.get(screen.signedInAs, async () => {
    const options = { baseURL: site.origin, reducedMotion: 'reduce', colorScheme: theme } as const
    return new ChatPage(await openDesktopPage(browser, options))
  })
  await visitor.page.emulateMedia({ colorScheme: theme })
  if (screen.expectedError) visitor.errors.allow(screen.expectedError)
  let isReusable = false
  try {
    await screen.open(visitor, site)
    await examine(visitor)
    expect(visitor.errors.unexpectedErrors()).toEqual([])
    visitor.errors.reset()
    isReusable = screen.signedInAs !== undefined
    if (isReusable) await resizeToDesktop(visitor.page)
  } finally {
    if (!isReusable) await signedIn.drop(screen.signedInAs)
  }
}
