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

/** This code with one more migration, which expands the table that is written to most. Answers the folder. */
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

/** The steps that have reached this region's copy. */
function readMigrations({ plan }: RegionProcess): string[] {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return db.prepare('select name from migration order by id').pluck().all() as string[] // the one column asked for
  } finally {
    db.close()
  }
}

/** Ends the region and has it go by the other release at its next start. */
async function installRelease(region: RegionProcess, release: string): Promise<void> {
  expect(await region.signal('SIGTERM')).toBe(0)
  region.plan.command = ['node', join(release, 'src/server/main.ts')]
}

describe.skipIf(findMissingTool('litefs'))('an upgrade, one region at a time', () => {
  it('[REG-33] [REG-05] [REG-07] serves all the while, with old and new code on one database', async () => {
    const cluster = await openSiteCluster()
    const [ist, fra, sin] = names.map(cluster.region) as [RegionProcess, RegionProcess, RegionProcess]
    const sessions = await signInRootAdmins(cluster, ...names)
    const said: string[] = []
    const talk = async (region: RegionProcess, session: RegionSession, others: RegionClient[] = []) => {
      const content = `Söz ${said.length + 1}`
      const person = await RegionClient.connect(region, session)
      // Under one id: what was refused while the primary changed may have happened.
      const clientId = randomUUID()
      await pollUntil(`${content} is said`, async () => 'success' in (await person.trySendMessage(content, clientId)))
      said.push(content)
      await waitForContents([person, ...others], [content])
      return person
    }
    const release = createNextRelease()
    const inSin = await talk(sin, sessions.sin)

    // New code on a replica waits for what only the primary may do; the others do not notice.
    await installRelease(fra, release)
    const fraStarts = fra.start()
    fraStarts.catch(() => {}) // whoever awaits it gets it
    const waiting = await pollUntil('fra says why it waits', async () => {
      const answer = await fetchReadiness(fra)
      return answer?.status === 503 ? answer : null
    })
    expect(waiting.why).not.toBe('')
    await talk(ist, sessions.ist, [inSin])
    expect((await fetchReadiness(fra))?.status).toBe(503)
    expect(readMigrations(fra).at(-1)).not.toContain(MIGRATION_NAME)

    // The primary migrates as it starts; sin, with old code, goes on beside it.
    await installRelease(ist, release)
    await Promise.all([ist.start(), fraStarts])
    for (const each of [ist, fra]) expect(readMigrations(each).at(-1)).toContain(MIGRATION_NAME)
    await talk(fra, sessions.fra, [inSin])
    await talk(sin, sessions.sin)
    expect(await sin.signal('SIGTERM')).toBe(0)
    await sin.start()
    const again = await talk(sin, sessions.sin)

    again.connection.terminate()
    await installRelease(sin, release)
    await sin.start()
    await talk(sin, sessions.sin)
    for (const each of [ist, fra, sin])
      await pollUntil('all is there', () => readMessageContents(each).length === said.length)
    for (const each of [ist, fra, sin]) expect(readMessageContents(each)).toEqual(said)
  })
})

describe.skipIf(findMissingTool('litefs', 'consul'))('an upgrade under Consul', () => {
  it('[REG-33] [REG-07] is carried out by a region with new code that is made the primary', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra'], withConsul: true })
    const first = await pollUntil('a primary', cluster.primary)
    const [older, newer] =
      first === 'ist' ? [cluster.region('ist'), cluster.region('fra')] : [cluster.region('fra'), cluster.region('ist')]
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    const inOlder = await RegionClient.connect(older, sessions.ist)
    await inOlder.sendMessage('Önce')

    await installRelease(newer, createNextRelease())
    const newerStarts = newer.start()
    newerStarts.catch(() => {}) // whoever awaits it gets it
    await pollUntil('the newer waits', async () => (await fetchReadiness(newer))?.status === 503)
    await inOlder.sendMessage('Beklerken')
    await cluster.promote(newer.plan.name)
    await newerStarts
    expect(readMigrations(newer).at(-1)).toContain(MIGRATION_NAME)
    const inNewer = await RegionClient.connect(newer, sessions.fra)
    await inNewer.sendMessage('Sonra')
    await pollUntil('the older writes', async () => 'success' in (await inOlder.trySendMessage('Eskiden')))
    await waitForContents([inOlder, inNewer], ['Sonra', 'Eskiden'])
    for (const each of [older, newer])
      expect(readMessageContents(each)).toEqual(['Önce', 'Beklerken', 'Sonra', 'Eskiden'])
  })
})
