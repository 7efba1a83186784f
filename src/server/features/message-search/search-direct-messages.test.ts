import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandRegistry } from '../../commands.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { indexMessages } from '../../model/conversations/index-messages.ts'
import { removeMessage } from '../../model/moderation/transactions.ts'
import { sent } from '../../testing/fixtures/direct-messages.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { deleteConversation, purgeDirectMessages } from '../direct-messages/delete-conversation.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'
import { liftBan } from '../moderation/lift-ban.ts'
import { blockUser } from '../relations/block-user.ts'
import { SEARCH_PAGE_SIZE } from './search-messages.ts'

type Name = 'ada' | 'can' | 'deniz' | 'admin'

let region: TestRegion
let users: Record<Name, TestUser>
let clients: Record<Name, TestClient>
let turn = 0
beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => region.destroy())
beforeEach(async () => {
  turn++
  users = {
    ada: await region.createGuest(`ada${turn}`),
    can: await region.createMember(`can${turn}`),
    deniz: await region.createMember(`deniz${turn}`),
    admin: await region.createRootAdmin(`kök${turn}`),
  }
  clients = {
    ada: await region.connectAs(users.ada),
    can: await region.connectAs(users.can),
    deniz: await region.connectAs(users.deniz),
    admin: await region.connectAs(users.admin),
  }
})

/** A page of what the user finds in the conversation with the other one, with all messages in the index. */
async function search(name: Name, other: Name, text: string, before?: number) {
  for (let more = true; more; ) {
    const step = await region.appContext.execute(indexMessages, null, {})
    more = 'more' in step && step.more
  }
  const input = { userId: users[other].userId, text, ...(before !== undefined && { before }) }
  const answer = await clients[name].request('searchDirectMessages', input)
  return 'messages' in answer ? answer : expect.unreachable(JSON.stringify(answer))
}
const find = async (name: Name, other: Name, text: string) =>
  (await search(name, other, text)).messages.map(({ content }) => content)
const write = (from: Name, to: Name, content: string, more: object = {}) =>
  sent(clients[from], users[to], content, more)

/** Removes the message in a transaction of its own, as a decision about a report does. */
function remove(id: number): void {
  const db = openForWriting(region.appContext.config.databaseFile)
  const tx = new WriterTransaction(db, commandRegistry.hooks)
  tx.begin(Date.now())
  expect(removeMessage(tx, { ...users.admin, role: 'rootadmin' }, { type: 'directMessage', id })).toBeNull()
  tx.commit()
  db.close()
}

describe('the search of direct messages', () => {
  it('[DM-76] finds the messages of both users, newest first, as their conversation shows them', async () => {
    await write('ada', 'can', 'Işık açık kaldı')
    await write('can', 'ada', 'IŞIK kapandı')
    await write('can', 'deniz', 'ışık')
    const found = await search('ada', 'can', 'ışık')
    expect(found.userId).toBe(users.can.userId)
    const page = await clients.ada.request('getDirectMessages', { userId: users.can.userId })
    expect('messages' in page && page.messages.toReversed()).toEqual(found.messages)
    expect(await find('can', 'ada', 'ışık')).toEqual(['IŞIK kapandı', 'Işık açık kaldı'])
    expect(await find('can', 'ada', 'kap')).toEqual(['IŞIK kapandı'])
    const short = await clients.ada.request('searchDirectMessages', { userId: users.can.userId, text: 'a .' })
    expect(short).toMatchObject({ code: 'InvalidInput', path: 'text' })
  })

  it('[DM-76] returns 20 messages at a time', async () => {
    for (let at = 1; at <= SEARCH_PAGE_SIZE + 3; at++) await write('ada', 'can', `Elma ${at}`)
    const first = await search('can', 'ada', 'elma')
    const second = await search('can', 'ada', 'elma', first.before)
    expect([first.messages.length, second.messages.length, second.before]).toEqual([SEARCH_PAGE_SIZE, 3, undefined])
    expect(second.messages.map(({ content }) => content)).toEqual(['Elma 3', 'Elma 2', 'Elma 1'])
  })

  it('[DM-77] finds nothing of the conversation of others, also for a root admin', async () => {
    await write('ada', 'can', 'Gizli elma')
    await write('deniz', 'ada', 'Selam')
    for (const stranger of ['deniz', 'admin'] as const)
      for (const other of ['ada', 'can', stranger] as const) expect(await find(stranger, other, 'elma')).toEqual([])
    expect(await clients.deniz.request('searchDirectMessages', { userId: 1_000_000, text: 'elma' })).toEqual({
      userId: 1_000_000,
      messages: [],
    })
  })

  it('does not run when its connection has closed while it waited', async () => {
    const reads = vi.spyOn(region.appContext, 'readInWorker')
    const text = 'elma'
    for (let at = 0; at < 3; at++)
      clients.can.request('searchDirectMessages', { userId: users.ada.userId, text }).catch(() => {})
    clients.can.disconnect()
    expect(await find('ada', 'can', text)).toEqual([])
    // The first began at once, and the last one is that of 'ada'.
    expect(reads).toHaveBeenCalledTimes(2)
    reads.mockRestore()
  })

  it('[DM-78] finds what was written before a block, for both users', async () => {
    await write('ada', 'can', 'Eski elma')
    await region.appContext.execute(blockUser, users.can, { blockedUsername: users.ada.username })
    expect([await find('ada', 'can', 'elma'), await find('can', 'ada', 'elma')]).toEqual([['Eski elma'], ['Eski elma']])
  })

  it('[DM-78] finds what its user has not deleted, and quotes nothing else', async () => {
    const old = await write('ada', 'can', 'Eski elma')
    await region.appContext.execute(deleteConversation, users.can, { otherUserId: users.ada.userId })
    await write('ada', 'can', 'Yeni elma', { replyTo: { id: old.id } })
    const { messages } = await search('can', 'ada', 'elma')
    expect(messages).toMatchObject([{ content: 'Yeni elma', replyTo: { id: old.id, content: null } }])
    expect(await find('ada', 'can', 'elma')).toEqual(['Yeni elma', 'Eski elma'])
    await region.appContext.execute(deleteConversation, users.ada, { otherUserId: users.can.userId })
    await region.appContext.execute(deleteConversation, users.can, { otherUserId: users.ada.userId })
    await write('can', 'ada', 'Son armut')
    await region.appContext.execute(purgeDirectMessages, null, {})
    expect([await find('ada', 'can', 'elma'), await find('ada', 'can', 'armut')]).toEqual([[], ['Son armut']])
  })

  it('[DM-78] finds no removed message, and quotes none', async () => {
    const { id } = await write('ada', 'can', 'Kaba elma')
    await write('can', 'ada', 'Bu elma ne?', { replyTo: { id } })
    expect(await find('can', 'ada', 'elma')).toEqual(['Bu elma ne?', 'Kaba elma'])
    remove(id)
    for (const [own, other] of [
      ['ada', 'can'],
      ['can', 'ada'],
    ] as const) {
      const { messages } = await search(own, other, 'elma')
      expect(messages).toMatchObject([{ content: 'Bu elma ne?', replyTo: { id, content: null } }])
    }
  })

  it('[GHOSTD-17] finds a hidden message for its sender and the root admin who got it, and for nobody else', async () => {
    await write('can', 'ada', 'Açık elma')
    const { username } = users.ada
    await region.appContext.execute(ghostBanGuest, users.admin, { username, duration: 'indefinite' })
    await write('ada', 'can', 'Gizli elma')
    await write('ada', 'admin', 'Gizli elma')
    expect((await search('ada', 'can', 'elma')).messages).toMatchObject([{ content: 'Gizli elma' }, {}])
    expect(JSON.stringify(await search('ada', 'can', 'elma'))).not.toContain('isGhost')
    expect(await find('can', 'ada', 'elma')).toEqual(['Açık elma'])
    expect((await search('admin', 'ada', 'elma')).messages).toMatchObject([{ content: 'Gizli elma', isGhost: true }])
    await region.appContext.execute(liftBan, users.admin, { username })
    expect(await find('can', 'ada', 'elma')).toEqual(['Açık elma'])
  })
})
