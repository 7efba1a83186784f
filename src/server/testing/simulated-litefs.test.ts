import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './database.ts'
import { Chance } from './simulated-chance.ts'
import { CONSUL, SimulatedLease } from './simulated-lease.ts'
import { type Mount, SimulatedLiteFs } from './simulated-litefs.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { SimulatedTime } from './simulated-time.ts'

const names = ['bir', 'iki', 'üç']
let clearUp = () => {}
afterEach(() => clearUp())

describe('[REG-36] LiteFS as the simulation has it', () => {
  it('brings what the primary commits to the others, one by one and in order, under open connections', async () => {
    const { time, litefs, primary, others } = await start()
    const write = writer(primary)
    write('create table said (id integer primary key, content text, note blob)')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    const readers = others.map((mount) => new Sqlite(mount.file.path, { readonly: true }))
    const seen: number[][] = others.map(() => [])
    for (const [index, mount] of others.entries()) {
      const count = readers[index]?.prepare('select count(*) from said').pluck()
      mount.run?.onTransaction(() => seen[index]?.push(Number(count?.get())))
    }
    for (let id = 1; id <= 5; id++) write(`insert into said values (${id}, 'it''s ' || ${id}, x'00ff')`)
    write('update said set content = null where id = 2')
    write('delete from said where id = 3')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    await time.pass(10)
    for (const counts of seen) {
      expect(counts.slice(0, -2)).toEqual([...counts.slice(0, -2)].sort())
      expect(counts.at(-1)).toBe(4)
    }
    for (const mount of others) expect(rows(mount)).toEqual(rows(primary))
    expect(primary.run?.txid()).toBe('0000000000000008')
    for (const reader of readers) reader.close()
  })

  it('takes back what a savepoint takes back, and counts no commit that changes nothing', async () => {
    const { time, litefs, primary, others } = await start()
    const write = writer(primary)
    write('create table said (id integer primary key, content text)')
    write(`savepoint one; insert into said values (1, 'a'); rollback to one; insert into said values (2, 'b')`)
    write('update said set content = null where id = 77')
    expect(primary.run?.txid()).toBe('0000000000000002')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    for (const mount of others) expect(rows(mount)).toEqual(rows(primary))
  })

  it('fails a commit once the lease has gone, and loses what a killed primary alone had', async () => {
    const { time, litefs, network, primary, others } = await start()
    const write = writer(primary)
    write('create table said (id integer primary key, content text)')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    for (const { name } of others) network.cut(primary.name, name, false)
    write(`insert into said values (1, 'nobody else has it')`)
    network.cut(primary.name, CONSUL, false)
    await time.until('it steps down', () => !primary.run?.isPrimary, 15_000)
    expect(() => write(`insert into said values (2, 'too late')`)).toThrow(
      expect.objectContaining({ code: 'SQLITE_IOERR_WRITE' }),
    )
    await time.until('another takes over', () => litefs.primary() !== null, 25_000)
    const next = litefs.primary()
    if (!next) throw new Error('nobody took over')
    writer(next)(`insert into said values (3, 'new truth')`)
    network.healAll()
    await time.until('all are in step', () => litefs.isInStep(), 30_000)
    expect(rows(primary)).toEqual([{ id: 3, content: 'new truth' }])
    expect([...litefs.lost].map(({ change }) => String(change))).toEqual([
      expect.stringContaining('nobody else has it'),
    ])
  })

  it('hands the lease over after all that was committed', async () => {
    const { time, litefs, primary, others } = await start()
    const write = writer(primary)
    write('create table said (id integer primary key, content text)')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    for (let id = 1; id <= 20; id++) write(`insert into said values (${id}, 'x')`)
    const [next] = others
    await time.of('the promotion', next?.run?.promote() ?? Promise.reject(new Error('nobody')))
    expect(litefs.primary()).toBe(next)
    expect(next && rows(next)).toHaveLength(20)
    await time.until('all are in step', () => litefs.isInStep(), 30_000)
    expect(litefs.lost.size).toBe(0)
  })

  it('gives a snapshot to a region that was away for longer than transactions are kept', async () => {
    const { time, litefs, primary, others } = await start()
    const write = writer(primary)
    write('create table said (id integer primary key, content text)')
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    const [away] = others
    away?.run?.end('inOrder')
    for (let id = 1; id <= 30; id++) write(`insert into said values (${id}, 'x')`)
    write('create table more (id integer primary key)')
    let told = 0
    away?.start().onTransaction(() => told++)
    await time.until('all are in step', () => litefs.isInStep(), 5_000)
    await time.pass(10)
    expect(told).toBe(1)
    expect(away && rows(away)).toEqual(rows(primary))
  })
})

async function start() {
  const folder = temporaryFolder()
  const chance = new Chance(1)
  const time = new SimulatedTime(chance.fork())
  const network = new SimulatedNetwork(chance.fork())
  const regions = names.map((name) => ({ name, url: `http://${name}`, isCandidate: true }))
  const lease = new SimulatedLease(network, null)
  const litefs = new SimulatedLiteFs({ folder: folder.path, network, lease, chance, regions, keeps: 25 })
  clearUp = () => {
    litefs.close()
    time.end()
    folder.remove()
  }
  for (const mount of litefs.all()) mount.start()
  await time.until('there is a primary', () => litefs.primary() !== null, 5_000)
  await time.pass(1_000)
  const primary = litefs.primary()
  if (!primary) throw new Error('there is no primary')
  return { time, litefs, network, primary, others: litefs.all().filter((mount) => mount !== primary) }
}

/** Runs statements in a transaction each, as the site's writer would. */
function writer(mount: Mount): (sql: string) => void {
  const db = new Sqlite(mount.file.path)
  db.pragma('journal_mode = WAL')
  mount.run?.keep(db)
  return (sql) => {
    db.prepare('begin immediate').run()
    db.exec(sql)
    db.prepare('commit').run()
  }
}

function rows(mount: Mount): unknown[] {
  const db = new Sqlite(mount.file.path, { readonly: true })
  const found = db.prepare('select * from said order by id').all()
  db.close()
  return found
}
