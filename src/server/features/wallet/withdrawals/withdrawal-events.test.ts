import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../../testing/fixtures/test-region.ts'
import { type AdminUser, openWithdrawalsApi, type WithdrawalsApi } from '../../../testing/fixtures/withdrawals-api.ts'
import { changeRole } from '../../accounts/roles/change-role.ts'

let api: WithdrawalsApi
let root: AdminUser
let ada: TestUser

beforeEach(async () => {
  api = await openWithdrawalsApi()
  root = await api.createAdmin('Yönetici')
  ada = await api.createEarner('ada', 60)
})
afterEach(() => api.close())

const notificationsOf = ({ userId }: TestUser) =>
  api.query<{ requestId: number }>(
    "select requestId from notification where recipientId = ? and type = 'withdrawalRequest'",
    userId,
  )

describe('events and notifications of payments', () => {
  const REQUEST_EVENTS = [
    'newWithdrawalRequest',
    'withdrawalRequestCreated',
    'withdrawalRequestApproved',
    'withdrawalRequestRejected',
    'requestDecided',
    'balanceUpdated',
    'newNotification',
    'removeNotification',
  ] as const

  it('[WITHDRAW-15] [REQUEST-01] go to the owner and to the root admins, and to nobody else', async () => {
    const can = await api.region.createMember('can')
    const demoted = await api.createAdmin('Düşen')
    const people = { ada, root, can, guest: await api.region.createGuest('konuk'), demoted }
    const clients = Object.fromEntries(
      await Promise.all(
        Object.entries(people).map(async ([name, user]) => [name, await api.region.connectAs(user, 1)] as const),
      ),
    )
    await api.region.appContext.execute(changeRole, root, { username: 'Düşen', role: 'member' })
    await clients.demoted?.waitForEvent('sessionReplaced')
    const { token } = await api.region.renewToken(demoted)
    await clients.demoted?.request('userConnected', { token })
    const [first, second] = [await api.createWithdrawal(ada), 2]
    await api.decide(root, `/withdrawal-requests/${first}/approve`)
    api.give(ada, 40)
    expect(await api.createWithdrawal(ada)).toBe(second)
    await api.decide(root, `/withdrawal-requests/${second}/reject`)
    await clients.root?.waitForEvent('requestDecided', ({ requestId }) => requestId === second)
    await clients.ada?.waitForEvent('withdrawalRequestRejected')
    // The answer comes after the events before it.
    for (const client of Object.values(clients)) await client.request('getRooms', {})
    const counts = Object.fromEntries(
      Object.entries(clients).map(([name, client]) => [
        name,
        REQUEST_EVENTS.filter((event) => client.countEvents(event) > 0),
      ]),
    )
    expect(counts).toEqual({
      ada: ['withdrawalRequestCreated', 'withdrawalRequestApproved', 'withdrawalRequestRejected', 'balanceUpdated'],
      root: ['newWithdrawalRequest', 'requestDecided', 'newNotification', 'removeNotification'],
      can: [],
      guest: [],
      demoted: [],
    })
    const payload = await clients.root?.waitForEvent('newWithdrawalRequest')
    expect(payload).toMatchObject({ id: first, amount: 50, status: 'pending', userId: ada.userId, username: 'ada' })
  })

  it('[WITHDRAW-16] have no name of an account and no IBAN', async () => {
    const id = await api.createWithdrawal(ada)
    await api.decide(root, `/withdrawal-requests/${id}/approve`)
    const payloads = api.query<{ payload: Buffer }>('select payload from event').map(({ payload }) => String(payload))
    expect(payloads.length).toBeGreaterThan(4)
    expect(payloads.filter((payload) => /Yılmaz|TR33|0006100519786457841326/.test(payload))).toEqual([])
  })

  it('[WITHDRAW-17] a request notifies each root admin, until it is decided', async () => {
    const other = await api.createAdmin('Zeynep')
    const id = await api.createWithdrawal(ada)
    expect([root, other].map(notificationsOf)).toEqual([[{ requestId: id }], [{ requestId: id }]])
    await api.decide(other, `/withdrawal-requests/${id}/reject`)
    expect([root, other].map(notificationsOf)).toEqual([[], []])
  })

  it('[WITHDRAW-15] a root admin who is demoted while away is sent no earlier request', async () => {
    const demoted = await api.createAdmin('Düşen')
    const before = await api.region.connectAs(demoted, 1)
    const cursor = api.region.appContext.reader.cursor()
    before.disconnect()
    await api.createWithdrawal(ada)
    await api.region.appContext.execute(changeRole, root, { username: 'Düşen', role: 'member' })
    const back = api.region.openConnection()
    const { token } = await api.region.renewToken(demoted)
    const hello = { token, browserId: 'b', platform: 'web', protocol: 1, cursor } as const
    expect(await back.request('hello', hello)).not.toHaveProperty('code')
    await back.request('getRooms', {})
    expect([back.countEvents('userRoleUpdated'), back.countEvents('newWithdrawalRequest')]).toEqual([1, 0])
    expect(back.countEvents('newNotification')).toBe(0)
  })
})
