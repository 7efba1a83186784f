import { ensureBrowser } from '../drivers/find-browser.ts'

/** Before the first journey: a missing browser is found out in the first second, not after the other tests. */
export function setup(): void {
  ensureBrowser()
}
