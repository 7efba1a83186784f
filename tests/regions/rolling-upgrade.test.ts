// @module-tag deep
import { randomUUID } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { databaseOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { PROJECT_ROOT } from '../drivers/site-process.ts'
import {
  RegionClient,
  type RegionSession,
  readMessageContents,
  signInRootAdmins,
  waitForContents,
} from './region-client.ts'
import { fetchReadiness } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const names = ['ist', 'fra', 'sin'] as const
const MIGRATION_NAME = 'a-mood-for-messages'
const COPIED_PATHS = ['src', 'migrations', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']

/** Copies this code with one more migration, which adds a column to the table with the most writes. Returns the folder. */
function createNextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-next-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of COPIED_PATHS) cpSync(join(PROJECT_ROOT, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'build']) symlinkSync(join(PROJECT_ROOT, name), join(folder, name))
  const known = globSync('migrations/[0-9]*.ts', { cwd: PROJECT_ROOT }).length
  const file = `${String(known + 1).padStart(4, '0')}-${MIGRATION_NAME}.ts`
  writeFileSync(
    join(folder, 'migrations', file),
    `import { sql } from 'kysely'
    export const migration = {
      oldestCode: ${known},
      up: (db) => [sql\`alter table message add column mood text\`.compile(db)],
    }`,
  )
  return folder
}

/** The migrations in this region's copy of the database. */
function readMigrations({ plan }: RegionProcess): string[] {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return db.prepare('select name from migration order by id').pluck().all() as string[] // the selected column
  } finally {
    db.close()
  }
}

/** Stops the region and makes its next start run the release. */
async function installRelease(region: RegionProcess, release: string): Promise<void> {
  expect(await region.signal('SIGTERM')).toBe(0)
  region.plan.command = ['node', join(release, 'src/server/main.ts')]
}

describe.skipIf(findMissingTool('litefs'))('an upgrade, one region at a time', () => {
  it('[REG-33] [REG-05] [REG-07] serves during an upgrade of one region at a time, with old and new code on one database', async () => {
    const cluster = await openSiteCluster()
    const [ist, fra, sin] = names.map(cluster.region) as [RegionProcess, RegionProcess, RegionProcess]
    const sessions = await signInRootAdmins(cluster, ...names)
    const contents: string[] = []
    const sendFrom = async (region: RegionProcess, session: RegionSession, others: RegionClient[] = []) => {
      const content = `Söz ${contents.length + 1}`
      const client = await RegionClient.connect(region, session)
      // One id for all attempts: one that was refused during a change of the primary may have committed.
      const clientId = randomUUID()
      await pollUntil(
        `${content} is answered`,
        async () => 'success' in (await client.trySendMessage(content, clientId)),
      )
      contents.push(content)
      await waitForContents([client, ...others], [content])
      return client
    }
    const release = createNextRelease()
    const inSin = await sendFrom(sin, sessions.sin)

    // New code on a replica waits for the migration of the primary; the other regions serve.
    await installRelease(fra, release)
    const fraStarts = fra.start()
    fraStarts.catch(() => {}) // handled where the test awaits it
    const waiting = await pollUntil('fra is not ready', async () => {
      const answer = await fetchReadiness(fra)
      return answer?.status === 503 ? answer : null
    })
    expect(waiting.reason).not.toBe('')
    await sendFrom(ist, sessions.ist, [inSin])
    expect((await fetchReadiness(fra))?.status).toBe(503)
    expect(readMigrations(fra).at(-1)).not.toContain(MIGRATION_NAME)

    // The primary migrates at its start; sin serves with old code.
    await installRelease(ist, release)
    await Promise.all([ist.start(), fraStarts])
    for (const each of [ist, fra]) expect(readMigrations(each).at(-1)).toContain(MIGRATION_NAME)
    await sendFrom(fra, sessions.fra, [inSin])
    await sendFrom(sin, sessions.sin)
    expect(await sin.signal('SIGTERM')).toBe(0)
    await sin.start()
    const returned = await sendFrom(sin, sessions.sin)

    returned.connection.terminate()
    await installRelease(sin, release)
    await sin.start()
    await sendFrom(sin, sessions.sin)
    for (const each of [ist, fra, sin])
      await pollUntil('the region has all messages', () => readMessageContents(each).length === contents.length)
    for (const each of [ist, fra, sin]) expect(readMessageContents(each)).toEqual(contents)
  })
})

describe.skipIf(findMissingTool('litefs', 'consul'))('an upgrade under Consul', () => {
  it('[REG-33] [REG-07] migrates when a region with new code is promoted to primary', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra'], withConsul: true })
    const first = await pollUntil('a primary', cluster.primary)
    const [older, newer] =
      first === 'ist' ? [cluster.region('ist'), cluster.region('fra')] : [cluster.region('fra'), cluster.region('ist')]
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    const inOlder = await RegionClient.connect(older, sessions.ist)
    await inOlder.sendMessage('Önce')

    await installRelease(newer, createNextRelease())
    const newerStarts = newer.start()
    newerStarts.catch(() => {}) // handled where the test awaits it
    await pollUntil('the newer region is not ready', async () => (await fetchReadiness(newer))?.status === 503)
    await inOlder.sendMessage('Beklerken')
    await cluster.promote(newer.plan.name)
    await newerStarts
    expect(readMigrations(newer).at(-1)).toContain(MIGRATION_NAME)
    const inNewer = await RegionClient.connect(newer, sessions.fra)
    await inNewer.sendMessage('Sonra')
    await pollUntil('the older region writes', async () => 'success' in (await inOlder.trySendMessage('Eskiden')))
    await waitForContents([inOlder, inNewer], ['Sonra', 'Eskiden'])
    for (const each of [older, newer])
      expect(readMessageContents(each)).toEqual(['Önce', 'Beklerken', 'Sonra', 'Eskiden'])
  })
})
