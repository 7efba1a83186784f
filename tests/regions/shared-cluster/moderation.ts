import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { databaseOf, originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { Refusal } from '../../../src/shared/protocol/refusals.ts'
import type { ReportGroup } from '../../../src/shared/reports/report.ts'
import { expectAnswer } from '../../drivers/live-connection.ts'
import type { Cluster } from '../cluster.ts'
import {
  connectRootAdmins,
  fetchPage,
  RegionClient,
  type RegionSession,
  signInGuestIn,
  uniqueName,
} from '../region-client.ts'
import { fetchFile, uploadPicture } from '../region-files.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Sends a request below `/api`, with the token of root admins where there is one, and resolves with its answer. */
async function request<T extends object>(
  { plan }: RegionProcess,
  { token, adminToken }: RegionSession,
  path: string,
  body?: object,
): Promise<T> {
  const origin = originOf(plan)
  const headers = { 'content-type': 'application/json', origin, authorization: `Bearer ${adminToken ?? token}` }
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T // the schema of the route
}

/** A guest and a root admin in each of two regions, in room 1; the guest of the first may write. */
async function connectPeople(cluster: Cluster) {
  const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
  const { ist: nearRoot, fra: farRoot } = await connectRootAdmins(cluster, 'ist', 'fra')
  const near = await RegionClient.connect(ist, await signInGuestIn(ist, uniqueName('Kaba')))
  const far = await RegionClient.connect(fra, await signInGuestIn(fra, uniqueName('Tanık')))
  await sendWhenAllowed(near, `Merhaba ${near.session.username}`)
  return { ist, fra, near, far, nearRoot, farRoot }
}

/** Sends as soon as the wait after entering is over, and resolves with the message's id. */
async function sendWhenAllowed(client: RegionClient, content: string): Promise<number> {
  let id = 0
  await pollUntil(`${client.session.username} may send`, async () => {
    const answer = await client.trySendMessage(content)
    if (!(answer instanceof Refusal)) id = answer.id ?? 0
    return id !== 0
  })
  return id
}

/** Whether the region's copy of the database has the ban. */
function isBannedIn({ plan }: RegionProcess, username: string): boolean {
  const db = new Sqlite(databaseOf(plan), { readonly: true, timeout: 5_000 })
  try {
    const bans = db.prepare(
      "select count(*) from restriction where kind <> 'mute' and userId = (select id from user where username = ?)",
    )
    return Number(bans.pluck().get(username)) > 0
  } finally {
    db.close()
  }
}

/** Resolves when all of the clients have received the message. */
const waitForContent = (clients: RegionClient[], content: string) =>
  pollUntil(`all receive ${content}`, () => clients.every((client) => client.receivedContents().includes(content)))

const sendDirectly = async ({ connection }: RegionClient, { session }: RegionClient, content: string) =>
  expectAnswer(await connection.request('sendDirectMessage', { recipientUsername: session.username, content }))
const directContents = ({ connection }: RegionClient) =>
  connection.receivedEvents('directMessage').map(({ content }) => content)
const typingNames = ({ connection }: RegionClient) =>
  connection.receivedEvents('typing').flatMap(({ users }) => users.map(({ username }) => username))
const sees = (viewer: RegionClient, { session }: RegionClient) => viewer.onlineUsernames().includes(session.username)

describe.skipIf(findMissingTool('litefs'))('moderation of root admins in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[GHOST-10] [GHOST-07] [GHOSTP-02] [GHOSTD-01] hides a ghost-banned guest from the other region, until the ban is lifted there', {
    tags: 'deep',
  }, async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await connectPeople(openedCluster())
    await waitForContent([near, far, nearRoot, farRoot], `Merhaba ${near.session.username}`)
    await sendDirectly(near, far, 'önce')
    await pollUntil('the direct message is received', () => directContents(far).includes('Önce'))

    const terms = { username: near.session.username, banDuration: 'indefinite', isGuest: true }
    expectAnswer(await farRoot.connection.request('ghostBanGuest', terms))
    await pollUntil('the guest has left for the other region', () => !sees(far, near))
    const knownEvents = near.connection.events.length

    const hidden = `Gizli ${near.session.username}`
    expectAnswer(await near.connection.request('typing', { roomId: 1 }))
    await near.sendMessage(hidden)
    await sendDirectly(near, far, 'gizlice')
    await waitForContent([near, nearRoot, farRoot], hidden)
    for (const { connection } of [nearRoot, farRoot])
      expect(connection.receivedEvents('message').find(({ content }) => content === hidden)?.isGhost).toBe(true)
    // What comes later has arrived, so the hidden ones would have.
    await sendDirectly(nearRoot, far, 'sonra')
    await pollUntil('a later direct message is received', () => directContents(far).includes('Sonra'))
    const later = `Sonra ${near.session.username}`
    await farRoot.sendMessage(later)
    await waitForContent([near, far], later)
    expect(far.receivedContents()).not.toContain(hidden)
    expect(directContents(far)).toEqual(['Önce', 'Sonra'])
    expect(typingNames(far)).not.toContain(near.session.username)
    for (const region of [ist, fra]) {
      expect((await fetchPage(region, far.session)).text).not.toContain(hidden)
      expect((await fetchPage(region, near.session)).text).toContain(hidden)
    }
    // The guest sees themselves and the others, and gets what a guest gets.
    expect([sees(near, near), sees(near, far)]).toEqual([true, true])
    const names = new Set(near.connection.events.slice(knownEvents).map(({ name }) => name))
    expect([...names].filter((name) => /ban|mute|sanction/i.test(name))).toEqual([])

    const lift = `/users/lift-ban/${encodeURIComponent(near.session.username)}`
    expect(await request(ist, nearRoot.session, lift, {})).toEqual({ success: true })
    await pollUntil('the guest is back in the other region', () => sees(far, near))
    const visible = `Yeniden ${near.session.username}`
    await sendWhenAllowed(near, visible)
    await waitForContent([near, far, nearRoot, farRoot], visible)
    expect((await fetchPage(fra, far.session)).text).not.toContain(hidden)
  })

  it('[GHOST-18] serves the file of a ghost in both regions to the ghost and root admins only', {
    tags: 'deep',
  }, async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await connectPeople(openedCluster())
    const terms = { username: near.session.username, banDuration: 'indefinite', isGuest: true }
    expectAnswer(await farRoot.connection.request('ghostBanGuest', terms))
    await pollUntil('the guest has left for the other region', () => !sees(far, near))

    const mediaId = await uploadPicture(ist, near.session, 1)
    expectAnswer(await near.connection.request('sendMessage', { roomId: 1, content: '', mediaId }))
    const received = ({ connection }: RegionClient) =>
      connection.receivedEvents('message').find((message) => message.mediaId === mediaId)
    for (const client of [near, nearRoot, farRoot])
      await pollUntil('the picture is received', () => received(client) !== undefined)
    const { originalPath = '' } = received(farRoot)?.media ?? {}
    const statusesFor = ({ session }: RegionClient) =>
      Promise.all([ist, fra].map(async (region) => (await fetchFile(region, originalPath, session)).status))
    // Before and after the other region has the file.
    expect(await statusesFor(far)).toEqual([404, 404])
    for (const client of [near, nearRoot, farRoot]) expect(await statusesFor(client)).toEqual([200, 200])
    expect(await statusesFor(far)).toEqual([404, 404])
    expect(received(far)).toBeUndefined()
    const lift = `/users/lift-ban/${encodeURIComponent(near.session.username)}`
    expect(await request(ist, nearRoot.session, lift, {})).toEqual({ success: true })
  })

  it('[SANCTION-19] applies a mute and a removal of one region in the other', { tags: 'deep' }, async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await connectPeople(openedCluster())
    const content = `Kaldırılacak ${near.session.username}`
    const messageId = await sendWhenAllowed(near, content)
    await waitForContent([far, nearRoot, farRoot], content)
    expectAnswer(await farRoot.connection.request('removeMessage', { messageId }))
    for (const { connection } of [near, far, nearRoot, farRoot])
      await pollUntil('the removal is received', () =>
        connection.receivedEvents('messageRemoved').some(({ id }) => id === messageId),
      )
    for (const region of [ist, fra])
      await pollUntil('the page has no text of it', async () => {
        const { text } = await fetchPage(region, far.session)
        return !text.includes(content) && text.includes('Bu mesaj kaldırıldı')
      })

    const mute = { username: near.session.username, duration: '1hr', reason: 'Hakaret' }
    expect(await request(fra, farRoot.session, '/users/mute', mute)).toMatchObject({ success: true })
    await pollUntil('the mute is received', () => near.connection.receivedEvents('ownMuteChanged').length > 0)
    expect(await near.trySendMessage('Susmuyorum')).toMatchObject({ body: { code: 'Muted' } })
    expect(far.connection.receivedEvents('ownMuteChanged')).toEqual([])
    const lift = `/users/lift-mute/${encodeURIComponent(near.session.username)}`
    expect(await request(ist, nearRoot.session, lift, {})).toEqual({ success: true })
    await pollUntil(
      'the lift is received',
      () => near.connection.receivedEvents('ownMuteChanged').at(-1)?.mute === null,
    )
    await sendWhenAllowed(near, `Konuşuyorum ${near.session.username}`)
  })

  it('[REPORT-13] [REPORT-04] queues a report of one region in the other, and decides it once when both decide', {
    tags: 'deep',
  }, async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await connectPeople(openedCluster())
    const messageId = await sendWhenAllowed(near, `Bildirilecek ${near.session.username}`)
    await waitForContent([far], `Bildirilecek ${near.session.username}`)
    const report = { messageId, roomId: 1, reason: 'insult', note: '' }
    expect(await request(fra, far.session, '/rooms/report', report)).toMatchObject({ success: true })
    for (const { connection } of [nearRoot, farRoot])
      await pollUntil('the queue changes', () => connection.receivedEvents('reportsChanged').length > 0)
    const userId = nearRoot.connection.receivedEvents('reportsChanged').at(-1)?.userId
    type Reports = { group: ReportGroup | null; reports: { id: number }[] }
    const path = `/moderation/reports/user/${userId}`
    const { reports } = await request<Reports>(ist, nearRoot.session, path)
    const reportIds = reports.map(({ id }) => id)
    expect(reportIds).toHaveLength(1)

    const decide = (region: RegionProcess, { session }: RegionClient) =>
      request(region, session, '/moderation/reports/decide', { reportIds, decision: 'warn', text: 'Dikkat' })
    const answers = await Promise.all([decide(ist, nearRoot), decide(fra, farRoot)])
    expect(answers.filter((answer) => 'decision' in answer)).toHaveLength(1)
    expect(answers.filter((answer) => !('decision' in answer))).toMatchObject([{ code: 'ReportDecided' }])
    await pollUntil('the warning is received', () => near.connection.receivedEvents('newWarning').length > 0)
    for (const region of [ist, fra]) {
      const isDecided = async () => (await request<Reports>(region, nearRoot.session, path)).group?.openCount === 0
      await pollUntil(`${region.plan.name} has no open report`, isDecided)
    }
    expect(near.connection.receivedEvents('newWarning')).toHaveLength(1)
    expect(far.connection.receivedEvents('newWarning')).toEqual([])
    for (const { connection } of [near, far]) expect(connection.receivedEvents('reportsChanged')).toEqual([])
  })

  it('[MOD-16] a ban is answered after another region has acknowledged it', async () => {
    const { region, regions } = openedCluster()
    const name = uniqueName('Kaba')
    // An address of its own, because the ban applies to it too.
    await signInGuestIn(region('sin'), name, { address: '203.0.113.77' })
    const { fra: root } = await connectRootAdmins(openedCluster(), 'fra')
    expectAnswer(
      await root.connection.request('banUser', { targetname: name, duration: '1hr', banReason: 'Uygunsuz Mesaj' }),
    )
    expect(regions.filter((each) => isBannedIn(each, name)).length).toBeGreaterThanOrEqual(2)
  })

  it('[CHATMEDIA-16] serves the file of a room in the other region, until the room is cleared', async () => {
    const { ist, fra, near, far, nearRoot } = await connectPeople(openedCluster())
    const mediaId = await uploadPicture(ist, near.session, 1)
    expectAnswer(await near.connection.request('sendMessage', { roomId: 1, content: '', mediaId }))
    const received = () =>
      far.connection.receivedEvents('message').find((message) => message.mediaId === mediaId)?.media
    await pollUntil('the picture is received', () => received() !== undefined)
    const { originalPath = '' } = received() ?? {}
    const sent = await (await fetchFile(ist, originalPath, near.session)).bytes()
    const fetched = await fetchFile(fra, originalPath, far.session)
    expect([fetched.status, await fetched.bytes()]).toEqual([200, sent])
    expectAnswer(await nearRoot.connection.request('clearRoomMessages', { roomId: 1 }))
    await pollUntil('the clearing is received', () => far.connection.receivedEvents('clearMessages').length > 0)
    expect([
      (await fetchFile(ist, originalPath, near.session)).status,
      (await fetchFile(fra, originalPath, far.session)).status,
    ]).toEqual([404, 404])
  })
})
