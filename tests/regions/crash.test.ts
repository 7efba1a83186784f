// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { findProcessesByEnv } from '../../scripts/regions/processes.ts'
import { mountOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import type { Cluster } from './cluster.ts'
import { connectRootAdmins, RegionClient, readMessageContents, waitForContents } from './region-client.ts'
import { findMissingTool, shareSiteCluster } from './test-cluster.ts'

/** Connects a client to each of the two regions; each has received a message of the other. */
async function connectClients(cluster: Cluster) {
  const { region } = cluster
  const { ist, fra } = await connectRootAdmins(cluster, 'ist', 'fra')
  const earlierCount = readMessageContents(region('ist')).length
  await ist.sendMessage('Bir')
  await fra.sendMessage('İki')
  await waitForContents([ist, fra], ['Bir', 'İki'])
  /** The contents that the region has since the clients have connected. */
  const newContents = (name: string) => readMessageContents(region(name)).slice(earlierCount)
  return { region, ist, fra, newContents }
}

/** Resolves when neither LiteFS nor the site of the region runs. */
async function waitForExit({ plan }: RegionProcess): Promise<void> {
  await pollUntil(`${plan.name} has ended`, () => findProcessesByEnv('LITEFS_MOUNT', mountOf(plan)).length === 0)
}

describe.skipIf(findMissingTool('litefs'))('a region that crashes', () => {
  const openedCluster = shareSiteCluster({ names: ['ist', 'fra'] })

  it.each(['litefs', 'site'] as const)(
    '[REG-39] [REG-04] ends both processes of a region when its %s is killed, and recovers by a restart',
    async (which) => {
      const { region, ist, fra, newContents } = await connectClients(openedCluster())
      for (const [name, client] of [
        ['fra', fra],
        ['ist', ist],
      ] as const) {
        await region(name).kill9(which)
        await waitForExit(region(name))
        await region(name).start()
        const returned = await RegionClient.connect(region(name), client.session, client.connection.cursor)
        await pollUntil(
          `${name} writes again`,
          async () => 'success' in (await returned.trySendMessage(`${name} döndü`)),
        )
      }
      const contents = ['Bir', 'İki', 'Fra döndü', 'İst döndü']
      for (const name of ['ist', 'fra'])
        await pollUntil(
          `${name} has all messages`,
          () => JSON.stringify(newContents(name)) === JSON.stringify(contents),
        )
    },
  )

  it('[REG-39] keeps every answered message when both processes of the primary get kill -9', async () => {
    const { region, ist, fra, newContents } = await connectClients(openedCluster())
    const answered: string[] = []
    const sending = (async () => {
      for (let i = 0; ; i++) {
        await ist.sendMessage(`Durmadan ${i}`)
        answered.push(`Durmadan ${i}`)
      }
    })().catch(() => {}) // it ends with the connection
    await pollUntil('50 messages are answered', () => answered.length > 50)
    await region('ist').kill9('both')
    await sending
    await region('ist').start()
    expect(newContents('ist').slice(0, answered.length + 2)).toEqual(['Bir', 'İki', ...answered])

    const returned = await RegionClient.connect(region('ist'), ist.session)
    await returned.sendMessage('Döndüm')
    await waitForContents([fra], [...answered, 'Döndüm'])
    expect(fra.receivedContents()).toEqual(newContents('ist'))
  })
})
