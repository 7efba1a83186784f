import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeRole } from '../../src/server/features/accounts/roles/change-role.ts'
import type { TestClient, TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import { commands, events, routes } from '../../src/shared/direct-messages/protocol.ts'
import type { CommandInput } from '../../src/shared/protocol/catalogue.ts'
import type { PrivacyChanges } from '../../src/shared/settings/rules.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

let site: HttpRegion
let ada: TestUser
let can: TestUser
/** Is in the same room, writes to both, and may not learn of their conversation. */
let deniz: TestUser
let clients: Record<'ada' | 'can' | 'deniz', TestClient>
/** A message of ada to can. */
let secretId: number

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region } = site
  ada = await region.createMember('ada')
  can = await region.createMember('can')
  deniz = await region.createMember('deniz')
  clients = {
    ada: await region.connectAs(ada, 1),
    can: await region.connectAs(can, 1),
    deniz: await region.connectAs(deniz, 1),
  }
  secretId = await sendAs('ada', can, 'gizli söz')
})
afterAll(() => site.close())

async function send(from: 'ada' | 'can', recipient: TestUser, content: string) {
  return clients[from].request('sendDirectMessage', { recipientUsername: recipient.username, content })
}

async function sendAs(from: 'ada' | 'can', recipient: TestUser, content: string): Promise<number> {
  const answer = await send(from, recipient, content)
  if (!('success' in answer) || !answer.message) throw new Error(JSON.stringify(answer))
  return answer.message.id
}

async function call(method: string, path: string, user: TestUser | null, body: object = {}) {
  const headers = { 'content-type': 'application/json', ...(user && { authorization: `Bearer ${user.token}` }) }
  const init = { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${site.origin}/api${path}`, init)
  return { status: answer.status, text: await answer.text() }
}

/** What the two users of the conversation see of it. */
async function fetchViews(): Promise<string[]> {
  const views = [ada, can].flatMap((user) => [
    call('GET', '/dm/userconversations', user),
    call('GET', `/dm/${user.username}/${user === ada ? 'can' : 'ada'}`, user),
  ])
  return (await Promise.all(views)).map(({ text }) => text)
}

/** The direct-message events that a client received since the last call. */
async function takeEvents(client: TestClient): Promise<string[]> {
  await client.request('getRooms', {})
  const received = client.transport.received.splice(0).map((value) => JSON.stringify(value))
  return received.filter((value) => Object.keys(events).some((name) => value.includes(`"${name}"`)))
}

const ofOthers = { senderUsername: 'ada', recipientUsername: 'can' }
type Tries = { [N in keyof typeof commands]: () => CommandInput<N>[] }

/** Every command, as deniz would send it to get at the conversation of ada and can: by names, by ids, and by both. */
const commandTries: Tries = {
  dmSessionStart: () => [
    ofOthers,
    { recipientUsername: 'can' },
    { recipientUsername: 'can', recipientId: can.userId },
    { recipientUsername: 'can', recipientId: ada.userId },
    { recipientUsername: 'deniz' },
  ],
  dmSessionEnd: () => [ofOthers, { recipientUsername: 'can' }],
  sendDirectMessage: () => [
    { ...ofOthers, content: 'ben adayım' },
    { recipientUsername: 'can', recipientId: ada.userId, content: 'x' },
    { recipientUsername: 'ada', content: 'alıntı', replyTo: { id: secretId } },
    { recipientUsername: 'ada', content: '', mediaId: 1 },
  ],
  getDirectMessages: () => [
    { userId: can.userId },
    { userId: ada.userId, before: secretId + 1 },
    { userId: can.userId, after: secretId - 1 },
    { userId: deniz.userId, before: secretId + 1 },
  ],
  searchDirectMessages: () => [
    { userId: can.userId, text: 'gizli' },
    { userId: ada.userId, text: 'gizli' },
    { userId: deniz.userId, text: 'gizli', before: secretId + 1 },
  ],
  markMessagesAsRead: () => [
    { currentUsername: 'can', otherUsername: 'ada' },
    { otherUsername: 'ada', upToId: secretId },
    { otherUsername: 'can', upToId: secretId },
  ],
  directTyping: () => [{ userId: 1_000_000 }],
  allowDirectMedia: () => [{ userId: 1_000_000 }],
}

type RouteTry = [path: string, body?: object]
const routeTries: Record<keyof typeof routes, () => RouteTry[]> = {
  directMessages: () => [['/dm/ada/can'], ['/dm/can/ada'], ['/dm/deniz/can'], [`/dm/deniz/ada?before=${secretId + 1}`]],
  conversations: () => [['/dm/userconversations'], ['/dm/userconversations?username=ada']],
  hideConversation: () => [
    ['/conversation-status/hideconversation', { targetUsername: 'can' }],
    ['/conversation-status/hideconversation', { targetUsername: 'can', targetUserId: ada.userId }],
  ],
  deleteConversation: () => [
    ['/dm/delete', { targetUsername: 'ada' }],
    ['/dm/delete', { targetUsername: 'can', targetUserId: can.userId }],
  ],
  // Files have tests of their own.
  uploadDirectMedia: () => [['/dm/upload-media']],
  reportDirectMessage: () => [
    ['/dm/report', { messageId: secretId, ...ofOthers }],
    ['/dm/report', { messageId: secretId, senderUsername: 'ada', recipientUsername: 'deniz' }],
  ],
}

describe('a third user', () => {
  it.each(Object.keys(commands) as (keyof typeof commands)[])(
    '[DM-65] sees and changes nothing of a conversation of others by %s',
    async (name) => {
      const views = await fetchViews()
      const signedOut = site.region.openConnection()
      for (const input of commandTries[name]()) {
        const answer = await clients.deniz.request(name, input as never) // the inputs of this command
        expect(JSON.stringify(answer)).not.toMatch(/gizli/i)
        if (JSON.stringify(input).includes('"ada"') && 'senderUsername' in input)
          expect(answer).toMatchObject({ code: 'ActorMismatch' })
        expect(await signedOut.request(name, input as never)).toMatchObject({ code: 'NotSignedIn' }) // as above
      }
      expect((await takeEvents(clients.deniz)).join()).not.toMatch(/gizli/i)
      if (name !== 'sendDirectMessage') expect(await fetchViews()).toEqual(views)
    },
  )

  it.each(Object.keys(routes) as (keyof typeof routes)[])(
    '[DM-65] sees and changes nothing of a conversation of others by the route %s',
    async (name) => {
      const views = await fetchViews()
      for (const [path, body] of routeTries[name]()) {
        const answer = await call(routes[name].method, path, deniz, body)
        expect(answer.text, path).not.toMatch(/gizli/i)
        if (/\/(?:ada\/can|can\/ada)|=ada|report/.test(path)) expect([403, 404]).toContain(answer.status)
        expect((await call(routes[name].method, path, null, body)).status).toBe(401)
      }
      expect(await fetchViews()).toEqual(views)
    },
  )

  it('[DM-65] hears no event of a conversation of others, with windows open to both', async () => {
    for (const { username } of [ada, can])
      await clients.deniz.request('dmSessionStart', { recipientUsername: username })
    for (const client of [clients.ada, clients.can, clients.deniz]) await takeEvents(client)
    await clients.ada.request('directTyping', { userId: can.userId })
    const id = await sendAs('ada', can, 'gizli bir söz daha')
    await clients.can.request('markMessagesAsRead', { otherUsername: 'ada' })
    await clients.can.request('allowDirectMedia', { userId: ada.userId })
    await call('POST', '/dm/report', can, { messageId: id, ...ofOthers })
    await call('POST', '/conversation-status/hideconversation', can, { targetUsername: 'ada' })
    await call('POST', '/dm/delete', can, { targetUsername: 'ada' })
    expect(await takeEvents(clients.deniz)).toEqual([])
    const names = ['directTyping', 'directMessage', 'messagesRead', 'conversationHidden', 'dmCleared']
    const heard = (await takeEvents(clients.can)).join()
    for (const name of names) expect(heard).toContain(name)
    expect((await takeEvents(clients.ada)).join()).not.toMatch(/conversationHidden|dmCleared/)
  })
})

describe('what changes between two messages decides the second', () => {
  const setPrivacy = (changes: PrivacyChanges) => clients.can.request('updatePrivacySettings', changes)
  const follow = (action: string, follower: TestUser, following: TestUser, more: object = {}) =>
    call('POST', `/follow/${action}`, action === 'accept-follow' ? following : follower, {
      followerId: follower.userId,
      followingId: following.userId,
      ...more,
    })
  const block = (action: 'block' | 'unblock', actor: TestUser, other: TestUser) =>
    call('POST', `/users/${action}`, actor, { blockedUsername: other.username })
  const expectSent = async () => expect(await send('ada', can, 'ulaşır')).toMatchObject({ success: true })
  /** Neither can hears a refused message, nor do ada's other tabs. */
  const expectRefused = async (message: RegExp) => {
    for (const client of [clients.ada, clients.can]) await takeEvents(client)
    expect(await send('ada', can, 'ulaşmaz')).toEqual({
      code: 'ContactRefused',
      message: expect.stringMatching(message) as string, // as vitest types its matchers
    })
    for (const client of [clients.ada, clients.can]) expect(await takeEvents(client)).toEqual([])
  }

  it('[DM-66] by privacy and follows, where a request is no follow', async () => {
    await expectSent()
    await setPrivacy({ messagePrivacy: 'nobody' })
    await expectRefused(/hiçkimseden/)
    await setPrivacy({ messagePrivacy: 'followers', accountPrivacy: 'private' })
    await follow('follow', can, ada)
    await expectRefused(/takipçilerinden/)
    await follow('follow', ada, can, { request: true })
    await expectRefused(/takipçilerinden/)
    await follow('accept-follow', ada, can)
    await expectSent()
    await follow('unfollow', ada, can)
    await expectRefused(/takipçilerinden/)
    await setPrivacy({ messagePrivacy: 'following' })
    await expectSent()
    await follow('unfollow', can, ada)
    await follow('follow', ada, can, { request: true })
    await follow('accept-follow', ada, can)
    await expectRefused(/takip ettiklerinden/)
    await setPrivacy({ messagePrivacy: 'everyone', accountPrivacy: 'public' })
    await expectSent()
  })

  it('[DM-66] by a block in either direction', async () => {
    for (const [actor, other] of [
      [ada, can],
      [can, ada],
    ] as const) {
      await expectSent()
      await block('block', actor, other)
      await expectRefused(/engelledi/)
      await block('unblock', actor, other)
    }
    await expectSent()
  })

  it('[DM-66] by the role of the sender, without a new connection', async () => {
    const root = await site.region.createRootAdmin('kök')
    const setRole = async (role: 'member' | 'rootadmin') => {
      await site.region.appContext.execute(changeRole, root, { username: 'ada', role })
      ada = await site.region.renewToken(ada)
      await clients.ada.request('userConnected', { token: ada.token })
    }
    await setPrivacy({ messagePrivacy: 'nobody' })
    await expectRefused(/hiçkimseden/)
    await setRole('rootadmin')
    await expectSent()
    await setRole('member')
    await expectRefused(/hiçkimseden/)
    await setPrivacy({ messagePrivacy: 'everyone' })
  })

  it('[DM-66] also among messages that are on their way together', async () => {
    const answers = await Promise.all([
      send('ada', can, 'önce'),
      setPrivacy({ messagePrivacy: 'nobody' }),
      send('ada', can, 'sonra'),
    ])
    expect(answers[0]).toMatchObject({ success: true })
    expect(answers[2]).toMatchObject({ code: 'ContactRefused' })
    await setPrivacy({ messagePrivacy: 'everyone' })
  })
})
