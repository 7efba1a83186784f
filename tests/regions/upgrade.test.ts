import { randomUUID } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { root } from '../site.ts'
import { missing, openSite } from './open.ts'
import { allHear, Person, rootAdminsIn, rowsIn, type Session } from './people.ts'
import { readiness } from './status.ts'

const names = ['ist', 'fra', 'sin'] as const
const step = 'a-mood-for-messages'
const copied = ['src', 'migrations', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']

/** This code with one more migration, which expands the table that is written to most. Answers the folder. */
function makeNextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-next-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'build']) symlinkSync(join(root, name), join(folder, name))
  const known = globSync('migrations/[0-9]*.ts', { cwd: root }).length
  const file = `${String(known + 1).padStart(4, '0')}-${step}.ts`
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
function stepsIn({ plan }: Region): string[] {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    return db.prepare('select name from migration order by id').pluck().all() as string[] // the one column asked for
  } finally {
    db.close()
  }
}

/** Ends the region and has it go by the other release at its next start. */
async function install(region: Region, release: string): Promise<void> {
  expect(await region.signal('SIGTERM')).toBe(0)
  region.plan.command = ['node', join(release, 'src/server/main.ts')]
}

describe.skipIf(missing('litefs'))('an upgrade, one region at a time', () => {
  it('[REG-33] [REG-05] [REG-07] serves all the while, with old and new code on one database', async () => {
    const cluster = await openSite()
    const [ist, fra, sin] = names.map(cluster.region) as [Region, Region, Region]
    const sessions = await rootAdminsIn(cluster, ...names)
    const said: string[] = []
    const talk = async (region: Region, session: Session, others: Person[] = []) => {
      const content = `Söz ${said.length + 1}`
      const person = await Person.comesTo(region, session)
      // Under one id: what was refused while the primary changed may have happened.
      const clientId = randomUUID()
      await until(`${content} is said`, async () => 'success' in (await person.trySaying(content, clientId)))
      said.push(content)
      await allHear([person, ...others], [content])
      return person
    }
    const release = makeNextRelease()
    const inSin = await talk(sin, sessions.sin)

    // New code on a replica waits for what only the primary may do; the others do not notice.
    await install(fra, release)
    const fraStarts = fra.start()
    fraStarts.catch(() => {}) // whoever awaits it gets it
    const waiting = await until('fra says why it waits', async () => {
      const answer = await readiness(fra)
      return answer?.status === 503 ? answer : null
    })
    expect(waiting.why).not.toBe('')
    await talk(ist, sessions.ist, [inSin])
    expect((await readiness(fra))?.status).toBe(503)
    expect(stepsIn(fra).at(-1)).not.toContain(step)

    // The primary migrates as it starts; sin, with old code, goes on beside it.
    await install(ist, release)
    await Promise.all([ist.start(), fraStarts])
    for (const each of [ist, fra]) expect(stepsIn(each).at(-1)).toContain(step)
    await talk(fra, sessions.fra, [inSin])
    await talk(sin, sessions.sin)
    expect(await sin.signal('SIGTERM')).toBe(0)
    await sin.start()
    const again = await talk(sin, sessions.sin)

    again.line.cut()
    await install(sin, release)
    await sin.start()
    await talk(sin, sessions.sin)
    for (const each of [ist, fra, sin]) await until('all is there', () => rowsIn(each).length === said.length)
    for (const each of [ist, fra, sin]) expect(rowsIn(each)).toEqual(said)
  })
})

describe.skipIf(missing('litefs', 'consul'))('an upgrade under Consul', () => {
  it('[REG-33] [REG-07] is carried out by a region with new code that is made the primary', async () => {
    const cluster = await openSite({ names: ['ist', 'fra'], withConsul: true })
    const first = await until('a primary', cluster.primary)
    const [older, newer] =
      first === 'ist' ? [cluster.region('ist'), cluster.region('fra')] : [cluster.region('fra'), cluster.region('ist')]
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra')
    const inOlder = await Person.comesTo(older, sessions.ist)
    await inOlder.say('Önce')

    await install(newer, makeNextRelease())
    const newerStarts = newer.start()
    newerStarts.catch(() => {}) // whoever awaits it gets it
    await until('the newer waits', async () => (await readiness(newer))?.status === 503)
    await inOlder.say('Beklerken')
    await cluster.promote(newer.plan.name)
    await newerStarts
    expect(stepsIn(newer).at(-1)).toContain(step)
    const inNewer = await Person.comesTo(newer, sessions.fra)
    await inNewer.say('Sonra')
    await until('the older writes', async () => 'success' in (await inOlder.trySaying('Eskiden')))
    await allHear([inOlder, inNewer], ['Sonra', 'Eskiden'])
    for (const each of [older, newer]) expect(rowsIn(each)).toEqual(['Önce', 'Beklerken', 'Sonra', 'Eskiden'])
  })
})
