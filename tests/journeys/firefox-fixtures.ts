import type { Locator } from 'playwright-core'
import { describe } from 'vitest'
import { findFirefox } from '../drivers/find-browser.ts'

const isMissing = findFirefox() === null
if (isMissing) console.log('Journeys in Firefox are skipped: no Firefox was found. Name one: FIREFOX=/path npm test')

/** Describes journeys that use the fixture `firefox`. They are skipped where there is no Firefox. */
export const describeInFirefox = describe.skipIf(isMissing)

/** Types by keys: `fill`, and letters that no key has, set the value in a way that React does not notice in Firefox. */
export const type = (field: Locator, text: string) => field.pressSequentially(text)

/** Types by keys and sends. */
export async function say(composer: Locator, text: string): Promise<void> {
  await type(composer, text)
  await composer.press('Enter')
}
