import { ensureBrowser, ensureFirefox } from '../drivers/find-browser.ts'
import { reportMissing } from './report-missing.ts'

/** Installs the browsers before several files need them at once. A missing Chromium fails here. */
export function setup(): void {
  ensureBrowser()
  if (!ensureFirefox()) reportMissing('Journeys in Firefox', 'no Firefox was found. Name one: FIREFOX=/path npm test')
}
