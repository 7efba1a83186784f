// @module-tag deep
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { litefsOf } from '../../scripts/regions/region-plan.ts'
import {
  createRootAdminIn,
  RegionClient,
  readMessageContents,
  runAdminCommandIn,
  signInMemberIn,
  signInRootAdmins,
  uniqueName,
  waitForContents,
} from './region-client.ts'
import { fetchStatus, listLtxFiles } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

/** The manual procedures of docs/operations.md. */
describe.skipIf(findMissingTool('litefs'))('manual operations', () => {
  it('[REG-33] moves a static lease to another region without losing a message', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra'] })
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
    const before = await RegionClient.connect(fra, sessions.fra)
    await before.sendMessage('Önce')
    expect(await ist.signal('SIGTERM')).toBe(0)
    expect(await fra.signal('SIGTERM')).toBe(0)
    expect(listLtxFiles(fra).at(-1)).toBe(listLtxFiles(ist).at(-1))

    fra.plan.lease = { type: 'static', primary: fra.plan.advertised, isPrimary: true }
    ist.plan.lease = { type: 'static', primary: fra.plan.advertised, isPrimary: false }
    await Promise.all([fra.start(), ist.start()])
    expect(await fetchStatus(fra)).toMatchObject({ role: 'primary' })
    const after = await RegionClient.connect(fra, sessions.fra, before.connection.cursor)
    expect(after.resumed).toBe(true)
    const istClient = await RegionClient.connect(ist, sessions.ist)
    await istClient.sendMessage('Sonra')
    await waitForContents([after, istClient], ['Sonra'])
    for (const each of [ist, fra]) expect(readMessageContents(each)).toEqual(['Önce', 'Sonra'])
  })

  it('[REG-03] restores a backup of any region in all regions', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra'] })
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const username = uniqueName('Yetkin')
    const password = await createRootAdminIn(ist, username)
    const before = await RegionClient.connect(ist, await signInMemberIn(ist, username, password))
    await before.sendMessage('Yedekte')
    const backup = join(fra.plan.folder, 'monday.db')
    await pollUntil('fra has the message', () => readMessageContents(fra).includes('Yedekte'))
    await runAdminCommandIn(fra, ['backup', backup])
    await before.sendMessage('Yedekten sonra')
    const draft = join(ist.plan.folder, 'restored.db')
    await runAdminCommandIn(ist, ['backup', draft])
    await runAdminCommandIn(ist, ['restore', backup], { MEYDAN_DB: draft })
    expect(await ist.signal('SIGTERM')).toBe(0)
    expect(await fra.signal('SIGTERM')).toBe(0)

    // LiteFS runs the import instead of the site.
    const litefs = inject('litefs')
    if ('missing' in litefs) throw new Error(litefs.missing)
    ist.plan.command = [litefs.path, 'import', '-url', litefsOf(ist.plan), '-name', 'meydan.db', draft]
    await ist.startWithoutWaiting()
    await ist.waitForExit()
    expect(ist.output()).toContain('Import of database "meydan.db"')
    delete ist.plan.command
    await Promise.all([ist.start(), fra.start()])
    for (const each of [ist, fra]) expect(readMessageContents(each)).toEqual(['Yedekte'])
    const after = await RegionClient.connect(
      fra,
      await signInMemberIn(fra, username, password),
      before.connection.cursor,
    )
    expect(after.resumed).toBe(false)
    await after.sendMessage('Yeniden')
    expect(after.connection.cursor).toBeGreaterThan(2 ** 20)
  })
})
