// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { Refusal } from '../../../src/shared/protocol/refusals.ts'
import { LiveConnection } from '../../drivers/live-connection.ts'
import { connectRootAdmins, RegionClient, signInGuestIn, uniqueName, updateRegionDatabase } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

const ROOM = 4
const CAPACITY = 25
const NEWCOMERS = 200
const BATCH = 20

/** A guest of a region, past hello and in no room. */
async function connectNewcomer(region: RegionProcess): Promise<LiveConnection> {
  const { token } = await signInGuestIn(region, uniqueName('Akın'))
  return (await LiveConnection.open(originOf(region.plan), token)).connection
}

/** Guests of both regions in turn, a batch at a time. */
async function connectNewcomers(regions: readonly [RegionProcess, RegionProcess]): Promise<LiveConnection[]> {
  const connections: LiveConnection[] = []
  while (connections.length < NEWCOMERS) {
    const batch = Array.from({ length: BATCH }, (_, index) => connectNewcomer(regions[index % 2 ? 1 : 0]))
    connections.push(...(await Promise.all(batch)))
  }
  return connections
}

async function readCapacity({ plan }: RegionProcess): Promise<number> {
  const answer = await fetch(`${originOf(plan)}/api/rooms/${ROOM}`)
  return ((await answer.json()) as { room: { capacity: number } }).room.capacity // the route's schema
}

async function post({ plan }: RegionProcess, path: string, token: string, body: object): Promise<number> {
  const origin = originOf(plan)
  const headers = { 'Content-Type': 'application/json', Origin: origin, Authorization: `Bearer ${token}` }
  return (await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

describe.skipIf(findMissingTool('litefs'))('entering a room in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[ENTRY-18] never exceeds its capacity with 200 newcomers, half of them in each region', async () => {
    const cluster = openedCluster()
    const regions = [cluster.region('ist'), cluster.region('fra')] as const
    const primary = cluster.region(await pollUntil('a primary', cluster.primary))
    updateRegionDatabase(primary, 'update room set capacity = ? where id = ?', CAPACITY, ROOM)
    for (const region of regions)
      await pollUntil('a region has the capacity', async () => (await readCapacity(region)) === CAPACITY)
    const connections = await connectNewcomers(regions)
    try {
      const answers = await Promise.all(connections.map((one) => one.request('joinRoom', { roomId: ROOM })))
      const refusals = answers.filter((answer) => answer instanceof Refusal)
      expect(answers.length - refusals.length).toBe(CAPACITY)
      expect(new Set(refusals.map(({ body }) => body.code))).toEqual(new Set(['RoomFull']))
    } finally {
      for (const connection of connections) connection.terminate()
    }
  })

  it('[ENTRY-13] [ENTRY-14] takes a banned user out in the other region, and lets them in by none', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const { ist: root } = await connectRootAdmins(cluster, 'ist')
    const name = uniqueName('Kaba')
    const session = await signInGuestIn(fra, name)
    const guest = await RegionClient.connect(fra, session)
    const terms = { username: name, duration: '1hr', banReason: 'Diğer' }
    expect(await post(ist, '/rooms/1/ban', root.session.token, terms)).toBe(200)
    await pollUntil('the notice came', () => guest.connection.receivedEvents('bannedNotification').length > 0)
    expect(await guest.trySendMessage('Hâlâ buradayım')).toMatchObject({ body: { code: 'NotInRoom' } })
    for (const region of [ist, fra]) {
      const { connection } = await LiveConnection.open(originOf(region.plan), session.token)
      expect(await connection.request('joinRoom', { roomId: 1 })).toMatchObject({ body: { code: 'RoomBanned' } })
      connection.terminate()
    }
    // The ban is of the address too, which every client shares.
    expect(await post(ist, `/rooms/1/lift-ban/${encodeURIComponent(name)}`, root.session.token, {})).toBe(200)
    for (const region of [ist, fra]) {
      const { connection } = await LiveConnection.open(originOf(region.plan), session.token)
      const canJoin = async () => !((await connection.request('joinRoom', { roomId: 1 })) instanceof Refusal)
      await pollUntil('the ban is lifted', canJoin)
      connection.terminate()
    }
  })
})
