import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/** A connection to the browser of all test files. Closing it closes the contexts that were made through it, and no others. */
export function connectToSharedBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserEndpoint'))
}
