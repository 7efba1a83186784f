import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBrowser } from '../tests/drivers/find-browser.ts'
import type { Site } from '../tests/drivers/site.ts'
import { PROJECT_ROOT } from '../tests/drivers/site-process.ts'
import { startTestSite } from '../tests/drivers/test-site.ts'
import { populateRoom } from '../tests/fixtures/populate-room.ts'

/**
 * `npm run lighthouse`: audits the landing page, a room for a stranger and a room for a guest, on a phone and on a desktop,
 * and prints their figures. Lighthouse is a package of its own (`tools/lighthouse`), which `npm ci` of the site leaves out.
 */

const AUDIT = join(PROJECT_ROOT, 'tools/lighthouse/audit.js')
const AUDIT_TIMEOUT_MS = 120_000
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

interface Audited {
  scores: Record<(typeof categories)[number], number>
  /** What costs points. */
  findings: string[]
}

const site = await startTestSite({ MEYDAN_LIMIT_SCALE: '1000' })
try {
  const disconnectGuests = await populateRoom(site)
  const pages = [
    { name: 'landing', path: '/' },
    { name: 'room, stranger', path: '/room/1' },
    { name: 'room, guest', path: '/room/1', cookie: await signInGuest(site) },
  ]
  const rows: Record<string, Audited['scores']> = {}
  const findings: string[] = []
  for (const { name, path, cookie } of pages) {
    for (const device of ['phone', 'desktop']) {
      const audited = await audit({ url: site.origin + path, device, cookie })
      rows[`${name}, ${device}`] = audited.scores
      findings.push(...audited.findings.map((finding) => `${name}, ${device}: ${finding}`))
    }
  }
  console.table(rows, [...categories])
  for (const finding of findings) console.log(finding)
  disconnectGuests()
} finally {
  await site.close()
}

async function audit(task: { url: string; device: string; cookie: string | undefined }): Promise<Audited> {
  const argument = JSON.stringify({ ...task, chromePath: ensureBrowser() })
  const { stdout } = await promisify(execFile)(process.execPath, [AUDIT, argument], { timeout: AUDIT_TIMEOUT_MS })
  return JSON.parse(stdout)
}

/** The cookie of a new guest. */
async function signInGuest({ origin }: Site): Promise<string> {
  const response = await fetch(`${origin}/api/users/guest-login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'Deneyen', browserId: randomUUID() }),
  })
  if (!response.ok) throw new Error(`guest-login was refused: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
