import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../fixtures/test-database.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { CONSUL_NODE, SimulatedLease } from './simulated-lease.ts'
import { SimulatedLiteFs, type SimulatedMount } from './simulated-litefs.ts'
import { SimulatedNetwork } from './simulated-network.ts'

const names = ['bir', 'iki', 'üç']
let cleanUp = () => {}
afterEach(() => cleanUp())

describe('[REG-36] the simulated LiteFS', () => {
  it("applies the primary's commits on replicas one by one, in order, under open connections", async () => {
    const { time, litefs, primary, others } = await startCluster()
    const write = openWriter(primary)
    write('create table said (id integer primary key, content text, note blob)')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    const readers = others.map((mount) => new Sqlite(mount.file.path, { readonly: true }))
    const seen: number[][] = others.map(() => [])
    for (const [index, mount] of others.entries()) {
      const count = readers[index]?.prepare('select count(*) from said').pluck()
      mount.node?.onTransaction(() => seen[index]?.push(Number(count?.get())))
    }
    for (let id = 1; id <= 5; id++) write(`insert into said values (${id}, 'it''s ' || ${id}, x'00ff')`)
    write('update said set content = null where id = 2')
    write('delete from said where id = 3')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    await time.advance(10)
    for (const counts of seen) {
      expect(counts.slice(0, -2)).toEqual([...counts.slice(0, -2)].sort())
      expect(counts.at(-1)).toBe(4)
    }
    for (const mount of others) expect(readRows(mount)).toEqual(readRows(primary))
    expect(primary.node?.txid()).toBe('0000000000000008')
    for (const reader of readers) reader.close()
  })

  it('replicates no rolled-back savepoint, and counts no commit without a change', async () => {
    const { time, litefs, primary, others } = await startCluster()
    const write = openWriter(primary)
    write('create table said (id integer primary key, content text)')
    write(`savepoint one; insert into said values (1, 'a'); rollback to one; insert into said values (2, 'b')`)
    write('update said set content = null where id = 77')
    expect(primary.node?.txid()).toBe('0000000000000002')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    for (const mount of others) expect(readRows(mount)).toEqual(readRows(primary))
  })

  it('fails a commit after the lease is lost, and loses commits that only the old primary had', async () => {
    const { time, litefs, network, primary, others } = await startCluster()
    const write = openWriter(primary)
    write('create table said (id integer primary key, content text)')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    for (const { name } of others) network.partition(primary.name, name, false)
    write(`insert into said values (1, 'nobody else has it')`)
    network.partition(primary.name, CONSUL_NODE, false)
    await time.advanceUntil('it steps down', () => !primary.node?.isPrimary, 15_000)
    expect(() => write(`insert into said values (2, 'too late')`)).toThrow(
      expect.objectContaining({ code: 'SQLITE_IOERR_WRITE' }),
    )
    await time.advanceUntil('another region becomes the primary', () => litefs.primaryMount() !== null, 25_000)
    const next = litefs.primaryMount()
    if (!next) throw new Error('no region became the primary')
    openWriter(next)(`insert into said values (3, 'new truth')`)
    network.healAll()
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 30_000)
    expect(readRows(primary)).toEqual([{ id: 3, content: 'new truth' }])
    expect([...litefs.lostCommits].map(({ change }) => String(change))).toEqual([
      expect.stringContaining('nobody else has it'),
    ])
  })

  it('hands the lease over after all commits are replicated', async () => {
    const { time, litefs, primary, others } = await startCluster()
    const write = openWriter(primary)
    write('create table said (id integer primary key, content text)')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    for (let id = 1; id <= 20; id++) write(`insert into said values (${id}, 'x')`)
    const [next] = others
    await time.advanceUntilSettled('the promotion', next?.node?.promote() ?? Promise.reject(new Error('nobody')))
    expect(litefs.primaryMount()).toBe(next)
    expect(next && readRows(next)).toHaveLength(20)
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 30_000)
    expect(litefs.lostCommits.size).toBe(0)
  })

  it('sends a snapshot to a replica that missed more transactions than are retained', async () => {
    const { time, litefs, primary, others } = await startCluster()
    const write = openWriter(primary)
    write('create table said (id integer primary key, content text)')
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    const [away] = others
    away?.node?.stop('graceful')
    for (let id = 1; id <= 30; id++) write(`insert into said values (${id}, 'x')`)
    write('create table more (id integer primary key)')
    let notificationCount = 0
    away?.start().onTransaction(() => notificationCount++)
    await time.advanceUntil('all are in step', () => litefs.isInSync(), 5_000)
    await time.advance(10)
    expect(notificationCount).toBe(1)
    expect(away && readRows(away)).toEqual(readRows(primary))
  })
})

async function startCluster() {
  const folder = createTemporaryFolder()
  const random = new SeededRandom(1)
  const time = new SimulatedClock(random.fork())
  const network = new SimulatedNetwork(random.fork())
  const regions = names.map((name) => ({ name, url: `http://${name}`, isCandidate: true }))
  const lease = new SimulatedLease(network, null)
  const litefs = new SimulatedLiteFs({
    folder: folder.path,
    network,
    lease,
    random,
    regions,
    retainedCommits: 25,
  })
  cleanUp = () => {
    litefs.close()
    time.restoreRealTime()
    folder.remove()
  }
  for (const mount of litefs.listMounts()) mount.start()
  await time.advanceUntil('there is a primary', () => litefs.primaryMount() !== null, 5_000)
  await time.advance(1_000)
  const primary = litefs.primaryMount()
  if (!primary) throw new Error('there is no primary')
  return { time, litefs, network, primary, others: litefs.listMounts().filter((mount) => mount !== primary) }
}

/** Runs statements in a transaction each, as the site's writer would. */
function openWriter(mount: SimulatedMount): (sql: string) => void {
  const db = new Sqlite(mount.file.path)
  db.pragma('journal_mode = WAL')
  mount.node?.attachWriter(db)
  return (sql) => {
    db.prepare('begin immediate').run()
    db.exec(sql)
    db.prepare('commit').run()
  }
}

function readRows(mount: SimulatedMount): unknown[] {
  const db = new Sqlite(mount.file.path, { readonly: true })
  const rows = db.prepare('select * from said order by id').all()
  db.close()
  return rows
}
