// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { foldName } from '../../src/shared/text/turkish.ts'
import { expectAnswer } from '../drivers/live-connection.ts'
import type { Cluster } from './cluster.ts'
import {
  type ClientOrigin,
  connectRootAdmins,
  createRootAdminIn,
  fetchPage,
  RegionClient,
  type RegionSession,
  runAdminCommandIn,
  signInGuestIn,
  uniqueName,
  updateRegionDatabase,
  waitForPresence,
} from './region-client.ts'
import { findMissingTool, shareSiteCluster } from './test-cluster.ts'

const terms = { duration: '10min', banReason: 'Uygunsuz Mesaj' } as const

/** Connects a root admin and a guest to room 1 in each of the two regions. */
async function connectClients(cluster: Cluster) {
  const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
  const guests = [
    await signInGuestIn(ist, uniqueName('Yakın'), { address: '203.0.113.1' }),
    await signInGuestIn(fra, uniqueName('Uzak'), { address: '203.0.113.2' }),
  ] as const
  const [near, far] = [await RegionClient.connect(ist, guests[0]), await RegionClient.connect(fra, guests[1])]
  const { ist: nearRoot, fra: farRoot } = await connectRootAdmins(cluster, 'ist', 'fra')
  return { ist, fra, near, far, nearRoot, farRoot, all: [near, far, nearRoot, farRoot] }
}

/** Posts to a route of root admins. Throws when it is refused. */
async function postAsRootAdmin(
  { plan }: RegionProcess,
  { adminToken }: RegionSession,
  path: string,
  body: object = {},
): Promise<void> {
  const origin = originOf(plan)
  const headers = { 'Content-Type': 'application/json', Origin: origin, Authorization: `Bearer ${adminToken}` }
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** Whether the region signs a guest of this origin in. Throws on a refusal that is not a ban. */
async function canEnter(region: RegionProcess, from: ClientOrigin): Promise<boolean> {
  return signInGuestIn(region, uniqueName('Gelen'), from).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('answered 403')) return false
      throw error
    },
  )
}

const search = async ({ connection }: RegionClient, text: string) =>
  expectAnswer(await connection.request('searchMessages', { roomId: 1, text })).messages.map(({ content }) => content)
const joinRoom = async ({ connection }: RegionClient, roomId: number) =>
  void expectAnswer(await connection.request('joinRoom', { roomId }))

describe.skipIf(findMissingTool('litefs'))('a room in two regions', () => {
  const openedCluster = shareSiteCluster({ names: ['ist', 'fra'], env: { MEYDAN_TRUSTED_PROXIES: '127.0.0.1' } })

  it('[CHAT-25] [CHAT-29] [PRES-11] [ROOM-17] [ROOM-20] [SHELL-12] [SHELL-15] shares users, messages, search and popups of a room between regions', async () => {
    const { ist, fra, near, far, nearRoot, farRoot, all } = await connectClients(openedCluster())
    await waitForPresence(all, all)
    for (const { connection } of all) {
      const watched = expectAnswer(await connection.request('watchRoomCounts', { scope: 'all' }))
      const roomCounts = () =>
        [watched, ...connection.receivedEvents('roomUserCountUpdate')].flatMap(({ rooms }) => rooms)
      const counts = { activeUsers: 4, male: 0, female: 0, desktop: 4, mobile: 0 }
      await pollUntil(
        'the room counts 4 users',
        () => roomCounts().findLast(({ roomId }) => roomId === 1)?.activeUsers === 4,
      )
      expect(expectAnswer(await connection.request('getRooms', {})).rooms[0]).toMatchObject({ id: 1, activeUsers: 4 })
      expect(expectAnswer(await connection.request('getStatus', {}))).toMatchObject(counts)
      expect(expectAnswer(await connection.request('getStatus', { roomId: 1 }))).toMatchObject(counts)
    }

    // Typing reaches the other region, but not a client that has left the room.
    await joinRoom(near, 2)
    expectAnswer(await near.connection.request('watchRooms', { roomIds: [1] }))
    expectAnswer(await nearRoot.connection.request('typing', { roomId: 1 }))
    const typingUsernames = () =>
      far.connection.receivedEvents('typing').flatMap(({ users }) => users.map(({ username }) => username))
    await pollUntil('the typing user is shown', () => typingUsernames().includes(nearRoot.session.username))

    // A mention notifies the mentioned user once, in the user's region, and no other user.
    const { id } = await nearRoot.sendMessage(`Selam @${far.session.username}`)
    await pollUntil('the mention is received', () => far.connection.receivedEvents('mentionNotification').length > 0)
    expect(far.connection.receivedEvents('mentionNotification')).toMatchObject([{ messageId: id, roomId: 1 }])
    await pollUntil('the room activity is received', () =>
      near.connection.receivedEvents('roomActivity').some(({ messageId }) => messageId === id),
    )
    expect(near.connection.receivedEvents('typing')).toEqual([])

    // A replica answers once it shows the message in the history and in the search, with its quote.
    const reply = expectAnswer(
      await farRoot.connection.request('sendMessage', { roomId: 1, content: 'aleykümselam', replyTo: { id: id ?? 0 } }),
    )
    const quote = { id, content: `Selam @${far.session.username}`, senderUsername: nearRoot.session.username }
    const { messages } = expectAnswer(await farRoot.connection.request('getMessages', { roomId: 1 }))
    expect(messages.at(-1)).toMatchObject({ id: reply.id, replyTo: quote })
    await pollUntil('the reply is received', () => nearRoot.receivedContents().includes('Aleykümselam'))
    expect(nearRoot.receivedMessages().at(-1)?.replyTo).toMatchObject(quote)
    for (const client of [nearRoot, farRoot]) {
      const isFound = async () => (await search(client, 'ALEYKÜM')).includes('Aleykümselam')
      await pollUntil(`${client.session.username} finds the reply`, isFound)
    }
    expect(
      [nearRoot, farRoot, near].flatMap(({ connection }) => connection.receivedEvents('mentionNotification')),
    ).toEqual([])

    await postAsRootAdmin(fra, farRoot.session, '/root-admin/send-popup', { message: '<b>Herkese</b>' })
    await postAsRootAdmin(fra, farRoot.session, '/root-admin/send-popup', { message: 'Odaya', roomId: 1 })
    await postAsRootAdmin(ist, nearRoot.session, '/root-admin/send-popup', { message: 'Öteki odaya', roomId: 2 })
    const popups = ({ connection }: RegionClient) =>
      connection.receivedEvents('popupNotification').map(({ message }) => message)
    for (const client of [far, nearRoot, farRoot])
      await pollUntil('the popups are received', () => popups(client).length > 1)
    await pollUntil('the popups are received', () => popups(near).length > 1)
    expect(popups(near)).toEqual(['<b>Herkese</b>', 'Öteki odaya'])
    expect([far, nearRoot, farRoot].map(popups)).toEqual(Array(3).fill(['<b>Herkese</b>', 'Odaya']))

    // Clearing the room also resets its activity.
    expectAnswer(await farRoot.connection.request('clearRoomMessages', { roomId: 1 }))
    for (const { connection } of [far, nearRoot, farRoot])
      await pollUntil('the room is cleared', () => connection.receivedEvents('clearMessages').length)
    await pollUntil(
      'the room activity is reset',
      () => near.connection.receivedEvents('roomActivity').at(-1)?.messageId === 0,
    )
    expect(await search(nearRoot, 'ALEYKÜM')).toEqual([])

    // A new name reaches the other region, and a new role ends the session.
    const renamed = uniqueName('Yeniden')
    updateRegionDatabase(
      ist,
      'update user set username = ?, foldedName = ? where username = ?',
      ...[...[renamed, foldName(renamed), far.session.username]],
    )
    await pollUntil('fra has the name', async () => (await fetchPage(fra, far.session)).text.includes(renamed))
    await RegionClient.connect(fra, far.session)
    const shownNames = () => nearRoot.connection.receivedEvents('userUpdated').map(({ user }) => user.username)
    await pollUntil('the new name is received', () => shownNames().includes(renamed))
    await createRootAdminIn(ist, farRoot.session.username)
    expect(await farRoot.connection.closed).toBe(CloseCode.notSignedIn)
    expect((await fetchPage(fra, farRoot.session)).text).toContain('Odaya gir')
  })

  it('[MOD-05] [MOD-06] [MOD-07] [MOD-08] [MOD-18] applies bans and maintenance in both regions, and lifts them in both', async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await connectClients(openedCluster())
    const [name, browserId] = [uniqueName('Kaba'), uniqueName('tarayıcı')]
    const bad = await signInGuestIn(ist, name, { browserId, address: '203.0.113.66' })
    await pollUntil('fra knows the guest', async () => (await fetchPage(fra, bad)).status === 200)
    await postAsRootAdmin(fra, farRoot.session, '/users/ban', { username: name, ...terms })

    let addresses = 0
    const otherAddress = () => `198.51.100.${++addresses}`
    const byBrowser = (region: RegionProcess) => canEnter(region, { browserId, address: otherAddress() })
    const byAddress = (region: RegionProcess) => canEnter(region, { address: '203.0.113.66' })
    for (const region of [ist, fra]) {
      await pollUntil('the ban applies', async () => (await fetchPage(region, bad)).status === 403)
      expect([await byBrowser(region), await byAddress(region)]).toEqual([false, false])
      expect(await canEnter(region, { address: otherAddress() })).toBe(true)
    }

    await postAsRootAdmin(ist, nearRoot.session, `/users/lift-ban/${encodeURIComponent(name)}`)
    for (const region of [ist, fra]) {
      await pollUntil('the ban is lifted', () => byBrowser(region))
      expect(await byAddress(region)).toBe(true)
    }

    // The ban ends by the clock, as after ten minutes.
    await postAsRootAdmin(ist, nearRoot.session, '/users/ban', { username: name, ...terms })
    for (const region of [ist, fra]) await pollUntil('the new ban applies', async () => !(await byAddress(region)))
    updateRegionDatabase(ist, 'update restriction set endsAt = ? where liftedAt is null', Date.now() + 1_000)
    for (const region of [ist, fra]) await pollUntil('the ban has expired', () => byAddress(region))

    await runAdminCommandIn(ist, ['maintenance', 'on'])
    for (const { connection } of [near, far]) {
      await pollUntil(
        'maintenance is announced',
        () => connection.receivedEvents('serverMaintenance').at(-1)?.isOn === true,
      )
      expect(await connection.request('getRooms', {})).toMatchObject({ body: { code: 'Maintenance' } })
    }
    for (const [region, client] of [
      [ist, near],
      [fra, far],
    ] as const) {
      expect((await fetchPage(region, client.session)).status).toBe(503)
    }
    for (const client of [nearRoot, farRoot]) await client.sendMessage('Bakım sürüyor')
    await runAdminCommandIn(ist, ['maintenance', 'off'])
    for (const client of [near, far]) {
      await pollUntil(
        'maintenance is over',
        () => client.connection.receivedEvents('serverMaintenance').at(-1)?.isOn === false,
      )
      expectAnswer(await client.connection.request('getRooms', {}))
    }
  })
})
