import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { foldName } from '../../src/shared/text/turkish.ts'
import { granted } from '../live-line.ts'
import { missing, openSite } from './open.ts'
import {
  allSee,
  changeIn,
  enterAsGuest,
  type From,
  makeRootAdmin,
  newName,
  Person,
  pageIn,
  rootAdminsIn,
  runAdmin,
  type Session,
} from './people.ts'

const terms = { duration: '10min', banReason: 'Uygunsuz Mesaj' } as const
const PROXY = { MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }

/** Two regions, and in each of them a root admin and a guest in room 1. */
async function openTwo(env: Record<string, string> = {}) {
  const cluster = await openSite({ names: ['ist', 'fra'], env })
  const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
  const roots = await rootAdminsIn(cluster, 'ist', 'fra')
  const guests = [
    await enterAsGuest(ist, newName('Yakın'), { address: '203.0.113.1' }),
    await enterAsGuest(fra, newName('Uzak'), { address: '203.0.113.2' }),
  ] as const
  const [near, far] = [await Person.comesTo(ist, guests[0]), await Person.comesTo(fra, guests[1])]
  const [nearRoot, farRoot] = [await Person.comesTo(ist, roots.ist), await Person.comesTo(fra, roots.fra)]
  return { ist, fra, near, far, nearRoot, farRoot, all: [near, far, nearRoot, farRoot] }
}

/** What only a root admin may do over HTTP. Throws when it is refused. */
async function post({ plan }: Region, { adminToken }: Session, path: string, body: object = {}): Promise<void> {
  const origin = originOf(plan)
  const headers = { 'Content-Type': 'application/json', Origin: origin, Authorization: `Bearer ${adminToken}` }
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** Whether a guest who comes from there is let in; throws where it is not a ban that keeps them out. */
async function isLetIn(region: Region, from: From): Promise<boolean> {
  return enterAsGuest(region, newName('Gelen'), from).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('answered 403')) return false
      throw error
    },
  )
}

const search = async ({ line }: Person, text: string) =>
  granted(await line.ask('searchMessages', { roomId: 1, text })).messages.map(({ content }) => content)
const moveTo = async ({ line }: Person, roomId: number) => void granted(await line.ask('joinRoom', { roomId }))

describe.skipIf(missing('litefs'))('a room in two regions', () => {
  it('[CHAT-25] [CHAT-29] [PRES-11] [ROOM-17] [ROOM-20] [SHELL-12] [SHELL-15] is one room', async () => {
    const { ist, fra, near, far, nearRoot, farRoot, all } = await openTwo()
    await allSee(all, all)
    for (const { line } of all) {
      const figures = { activeUsers: 4, male: 0, female: 0, desktop: 4, mobile: 0 }
      await until('the room has 4', () => line.heard('roomUserCountUpdate').at(-1)?.activeUsers === 4)
      expect(granted(await line.ask('getRooms', {})).rooms[0]).toMatchObject({ id: 1, activeUsers: 4 })
      expect(granted(await line.ask('getStatus', {}))).toMatchObject(figures)
      expect(granted(await line.ask('getStatus', { roomId: 1 }))).toMatchObject(figures)
    }

    // Who writes is told across, and not to those who have gone elsewhere.
    await moveTo(near, 2)
    granted(await near.line.ask('watchRooms', { roomIds: [1] }))
    granted(await nearRoot.line.ask('typing', { roomId: 1 }))
    const typists = () => far.line.heard('typing').flatMap(({ users }) => users.map(({ username }) => username))
    await until('who writes is named', () => typists().includes(nearRoot.session.username))

    // Whoever is mentioned hears it in their region, once, and nobody else does.
    const { id } = await nearRoot.say(`Selam @${far.session.username}`)
    await until('the mention is heard', () => far.line.heard('mentionNotification').length > 0)
    expect(far.line.heard('mentionNotification')).toMatchObject([{ messageId: id, roomId: 1 }])
    await until('the mark is told of', () => near.line.heard('roomActivity').some(({ messageId }) => messageId === id))
    expect(near.line.heard('typing')).toEqual([])

    // A replica has what its people wrote when it answers them: the message, its history, its search, its quote.
    const said = granted(
      await farRoot.line.ask('sendMessage', { roomId: 1, content: 'aleykümselam', replyTo: { id: id ?? 0 } }),
    )
    const quote = { id, content: `Selam @${far.session.username}`, senderUsername: nearRoot.session.username }
    const { messages } = granted(await farRoot.line.ask('getMessages', { roomId: 1 }))
    expect(messages.at(-1)).toMatchObject({ id: said.id, replyTo: quote })
    await until('the answer is heard', () => nearRoot.contents().includes('Aleykümselam'))
    expect(nearRoot.heard().at(-1)?.replyTo).toMatchObject(quote)
    for (const person of [nearRoot, farRoot]) {
      const isFound = async () => (await search(person, 'ALEYKÜM')).includes('Aleykümselam')
      await until(`${person.session.username} finds it`, isFound)
    }
    expect([nearRoot, farRoot, near].flatMap(({ line }) => line.heard('mentionNotification'))).toEqual([])

    await post(fra, farRoot.session, '/rooms/send-popup', { message: '<b>Herkese</b>' })
    await post(fra, farRoot.session, '/rooms/send-popup', { message: 'Odaya', roomId: 1 })
    await post(ist, nearRoot.session, '/rooms/send-popup', { message: 'Öteki odaya', roomId: 2 })
    const popups = ({ line }: Person) => line.heard('popupNotification').map(({ message }) => message)
    for (const person of [far, nearRoot, farRoot]) await until('the popups are there', () => popups(person).length > 1)
    await until('the popups are there', () => popups(near).length > 1)
    expect(popups(near)).toEqual(['<b>Herkese</b>', 'Öteki odaya'])
    expect([far, nearRoot, farRoot].map(popups)).toEqual(Array(3).fill(['<b>Herkese</b>', 'Odaya']))

    // What was new is taken away again, and with it the mark.
    granted(await farRoot.line.ask('clearRoomMessages', { roomId: 1 }))
    for (const { line } of [far, nearRoot, farRoot])
      await until('it is empty', () => line.heard('clearMessages').length)
    await until('there is nothing new', () => near.line.heard('roomActivity').at(-1)?.messageId === 0)
    expect(await search(nearRoot, 'ALEYKÜM')).toEqual([])

    // A new name, and a session that ends because a role is of the session.
    const renamed = newName('Yeniden')
    changeIn(
      ist,
      'update user set username = ?, foldedName = ? where username = ?',
      ...[...[renamed, foldName(renamed), far.session.username]],
    )
    await until('fra has the name', async () => (await pageIn(fra, far.session)).text.includes(renamed))
    await Person.comesTo(fra, far.session)
    const shown = () => nearRoot.line.heard('userUpdated').map(({ user }) => user.username)
    await until('the other region is told', () => shown().includes(renamed))
    await makeRootAdmin(ist, farRoot.session.username)
    expect(await farRoot.line.closed).toBe(CloseCode.notSignedIn)
    expect((await pageIn(fra, farRoot.session)).text).not.toContain(farRoot.session.username)
  })

  it('[MOD-05] [MOD-06] [MOD-07] [MOD-08] [MOD-18] is closed to whom it is closed in both, and opens again in both', async () => {
    const { ist, fra, near, far, nearRoot, farRoot } = await openTwo(PROXY)
    const [name, browserId] = [newName('Kaba'), newName('tarayıcı')]
    const bad = await enterAsGuest(ist, name, { browserId, address: '203.0.113.66' })
    await until('fra knows them', async () => (await pageIn(fra, bad)).status === 200)
    await post(fra, farRoot.session, '/users/ban', { username: name, ...terms })

    let addresses = 0
    const otherAddress = () => `198.51.100.${++addresses}`
    const byBrowser = (region: Region) => isLetIn(region, { browserId, address: otherAddress() })
    const byAddress = (region: Region) => isLetIn(region, { address: '203.0.113.66' })
    for (const region of [ist, fra]) {
      await until('they are out', async () => (await pageIn(region, bad)).status === 403)
      expect([await byBrowser(region), await byAddress(region)]).toEqual([false, false])
      expect(await isLetIn(region, { address: otherAddress() })).toBe(true)
    }

    await post(ist, nearRoot.session, `/users/lift-ban/${encodeURIComponent(name)}`)
    for (const region of [ist, fra]) {
      await until('it is lifted', () => byBrowser(region))
      expect(await byAddress(region)).toBe(true)
    }

    // As after ten minutes: by the clock alone.
    await post(ist, nearRoot.session, '/users/ban', { username: name, ...terms })
    for (const region of [ist, fra]) await until('they are out again', async () => !(await byAddress(region)))
    changeIn(ist, 'update ban set endsAt = ? where liftedAt is null', Date.now() + 1_000)
    for (const region of [ist, fra]) await until('its time is over', () => byAddress(region))

    await runAdmin(ist, ['maintenance', 'on'])
    for (const { line } of [near, far]) {
      await until('it is shown', () => line.heard('serverMaintenance').at(-1)?.isOn === true)
      expect(await line.ask('getRooms', {})).toMatchObject({ body: { code: 'Maintenance' } })
    }
    for (const [region, person] of [
      [ist, near],
      [fra, far],
    ] as const) {
      expect((await pageIn(region, person.session)).status).toBe(503)
    }
    for (const person of [nearRoot, farRoot]) await person.say('Bakım sürüyor')
    await runAdmin(ist, ['maintenance', 'off'])
    for (const person of [near, far]) {
      await until('it is over', () => person.line.heard('serverMaintenance').at(-1)?.isOn === false)
      granted(await person.line.ask('getRooms', {}))
    }
  })
})
