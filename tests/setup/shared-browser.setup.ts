import type { TestProject } from 'vitest/node'
import { launchBrowserServer } from '../drivers/browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket URL of the project's one browser. */
    browserEndpoint: string
  }
}

/** One browser for all files of a project: each starts its own contexts in it. A missing browser fails at once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer()
  project.provide('browserEndpoint', server.wsEndpoint())
  return () => server.close()
}
