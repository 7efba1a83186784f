import { ensureBrowser } from '../drivers/find-browser.ts'

/** Installs the browser before several files need it at once. A missing one fails here. */
export function setup(): void {
  ensureBrowser()
}
