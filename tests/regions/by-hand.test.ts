import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { litefsOf } from '../../scripts/regions/plan.ts'
import { until } from '../../scripts/regions/until.ts'
import { missing, openSite } from './open.ts'
import { allHear, makeRootAdmin, newName, Person, rootAdminsIn, rowsIn, runAdmin, signIn } from './people.ts'
import { statusOf, transactionsOf } from './status.ts'

/** What docs/operations.md tells operators to do by hand. */
describe.skipIf(missing('litefs'))('by hand', () => {
  it('[REG-33] a static lease moves to another region, and nothing is lost', async () => {
    const cluster = await openSite({ names: ['ist', 'fra'] })
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const sessions = await rootAdminsIn(cluster, 'ist', 'fra')
    const before = await Person.comesTo(fra, sessions.fra)
    await before.say('Önce')
    expect(await ist.signal('SIGTERM')).toBe(0)
    expect(await fra.signal('SIGTERM')).toBe(0)
    expect(transactionsOf(fra).at(-1)).toBe(transactionsOf(ist).at(-1))

    fra.plan.lease = { type: 'static', primary: fra.plan.advertised, isPrimary: true }
    ist.plan.lease = { type: 'static', primary: fra.plan.advertised, isPrimary: false }
    await Promise.all([fra.start(), ist.start()])
    expect(await statusOf(fra)).toMatchObject({ role: 'primary' })
    const after = await Person.comesTo(fra, sessions.fra, before.line.cursor)
    expect(after.resumed).toBe(true)
    const there = await Person.comesTo(ist, sessions.ist)
    await there.say('Sonra')
    await allHear([after, there], ['Sonra'])
    for (const each of [ist, fra]) expect(rowsIn(each)).toEqual(['Önce', 'Sonra'])
  })

  it('[REG-03] a backup is made anywhere, and restored in all regions', async () => {
    const cluster = await openSite({ names: ['ist', 'fra'] })
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const username = newName('Yetkin')
    const password = await makeRootAdmin(ist, username)
    const before = await Person.comesTo(ist, await signIn(ist, username, password))
    await before.say('Yedekte')
    const backup = join(fra.plan.folder, 'monday.db')
    await until('fra has it', () => rowsIn(fra).includes('Yedekte'))
    await runAdmin(fra, ['backup', backup])
    await before.say('Yedekten sonra')
    const draft = join(ist.plan.folder, 'restored.db')
    await runAdmin(ist, ['backup', draft])
    await runAdmin(ist, ['restore', backup], { MEYDAN_DB: draft })
    expect(await ist.signal('SIGTERM')).toBe(0)
    expect(await fra.signal('SIGTERM')).toBe(0)

    // LiteFS alone, with the import in the site's place.
    const litefs = inject('litefs')
    if ('missing' in litefs) throw new Error(litefs.missing)
    ist.plan.command = [litefs.path, 'import', '-url', litefsOf(ist.plan), '-name', 'meydan.db', draft]
    await ist.launch()
    await ist.exited()
    expect(ist.output()).toContain('Import of database "meydan.db"')
    delete ist.plan.command
    await Promise.all([ist.start(), fra.start()])
    for (const each of [ist, fra]) expect(rowsIn(each)).toEqual(['Yedekte'])
    const after = await Person.comesTo(fra, await signIn(fra, username, password), before.line.cursor)
    expect(after.resumed).toBe(false)
    await after.say('Yeniden')
    expect(after.line.cursor).toBeGreaterThan(2 ** 20)
  })
})
