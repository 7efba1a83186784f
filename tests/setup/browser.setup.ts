import { ensureBrowser } from '../drivers/find-browser.ts'

/** Runs before the first journey, so that a missing browser fails at once. */
export function setup(): void {
  ensureBrowser()
}
