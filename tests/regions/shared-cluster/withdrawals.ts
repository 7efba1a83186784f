import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { databaseOf, originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { giveMoney } from '../../../src/server/testing/fixtures/money.ts'
import { connectRootAdmins, type RegionSession, runAdminCommandIn, uniqueName } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

const ROUNDS = 5
const PAYMENT_KURUS = 5_000

interface Answer {
  success: boolean
  code?: string
  message: string
}

/** Sends a request below `/api` to a region. */
async function post<T>({ plan }: RegionProcess, token: string | null | undefined, path: string, body = {}): Promise<T> {
  const origin = originOf(plan)
  const headers = { origin, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as T // the schema of the route
}

/** A new member with money for this many payments, signed in through a region. */
async function createEarner(region: RegionProcess, primary: RegionProcess, payments: number): Promise<RegionSession> {
  const username = uniqueName('Kazanan')
  const account = { username, password: 'uzun bir parola', age: 30, termsAccepted: true }
  const { token, user } = await post<{ token: string; user: { id: number } }>(region, null, '/users/register', account)
  const amountKurus = payments * PAYMENT_KURUS
  giveMoney(databaseOf(primary.plan), { userId: user.id, amountKurus, kind: 'earned' })
  return { username, token, cookie: '' }
}

describe.skipIf(findMissingTool('litefs'))('payments in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[WITHDRAW-22] are decided once when one region approves and the other rejects at the same moment', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const primary = cluster.region(await pollUntil('a primary', cluster.primary))
    const roots = await connectRootAdmins(cluster, 'ist', 'fra')
    const clients = [roots.ist, roots.fra]
    const earner = await createEarner(fra, primary, ROUNDS)
    const account = { withdrawalOptionId: 1, firstName: 'Ada', lastName: 'Can', iban: 'TR330006100519786457841326' }
    for (let round = 1; round <= ROUNDS; round++) {
      const asked = await post<{ request?: { id: number } }>(fra, earner.token, '/withdrawal-requests', account)
      const id = asked.request?.id ?? expect.unreachable(JSON.stringify(asked))
      for (const { connection } of clients) {
        const isKnown = () => connection.receivedEvents('newNotification').some(({ requestId }) => requestId === id)
        await pollUntil('both root admins are notified', isKnown)
      }
      const answers = await Promise.all([
        post<Answer>(ist, roots.ist.session.adminToken, `/withdrawal-requests/${id}/approve`),
        post<Answer>(fra, roots.fra.session.adminToken, `/withdrawal-requests/${id}/reject`),
      ])
      const winner = answers.findIndex(({ success }) => success)
      const late = answers.find(({ success }) => !success)
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      expect(late?.code).toBe('RequestDecided')
      expect(late?.message).toContain(clients[winner]?.session.username)
      for (const { connection } of clients) {
        const isGone = () => connection.receivedEvents('removeNotification').some(({ requestId }) => requestId === id)
        await pollUntil('both lose the notification', isGone)
        const told = () => connection.receivedEvents('requestDecided').filter(({ requestId }) => requestId === id)
        await pollUntil('both are told of the decision', () => told().length > 0)
        expect(told().map(({ status }) => status)).toEqual([winner === 0 ? 'approved' : 'rejected'])
      }
    }
    for (const region of [ist, fra])
      expect(await runAdminCommandIn(region, ['check-ledger'])).toContain('The ledger is right')
  })
})
