import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { touchUsers } from '../../features/accounts/users/touch-users.ts'
import { liftBan } from '../../features/moderation/lift-ban.ts'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { CommandOutcome } from '../database/writer-client.ts'
import { CommandRouter, type CommandRouterOptions, type WriteRoute } from './command-router.ts'

const at = { txid: '0000000000000007', seq: 7 }
const input = { userIds: [1] }
const answered: CommandOutcome = { answer: { touched: 1 }, position: at }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A router whose route the test sets and removes. */
function build(more: Partial<CommandRouterOptions> = {}) {
  const reported: string[] = []
  const state: { route: WriteRoute | null } = { route: null }
  const commands = new CommandRouter({
    writeRoute: () => state.route,
    isClustered: true,
    awaitReplicaAck: false,
    maxInFlight: 3,
    waitForPosition: async () => true,
    onForwarded: (outcome) => reported.push(`forwarded: ${outcome}`),
    onStaleAnswer: () => reported.push('behind'),
    ...more,
  })
  const setRoute = (isHere: boolean, submit: WriteRoute['submit']) => {
    state.route = { isLocal: isHere, submit }
    commands.notifyRouteChange()
  }
  const removeRoute = () => {
    state.route = null
    commands.notifyRouteChange()
  }
  return { commands, reported, setRoute, removeRoute, touch: () => commands.execute(touchUsers, null, input) }
}

describe('the command router', () => {
  it('[REG-23] submits a command here or over the link, without the role of the actor', async () => {
    const { commands, reported, setRoute } = build()
    const orders: CommandEnvelope[] = []
    const submit = async (envelope: CommandEnvelope) => {
      orders.push(envelope)
      return answered
    }
    const actor = { userId: 1, sessionId: 2, role: 'rootadmin' as const }
    for (const isHere of [true, false]) {
      setRoute(isHere, submit)
      expect(await commands.execute(touchUsers, actor, input)).toEqual({ touched: 1 })
    }
    expect(orders.map((order) => order.actor)).toEqual([
      { userId: 1, sessionId: 2 },
      { userId: 1, sessionId: 2 },
    ])
    expect(reported).toEqual(['forwarded: answered'])
  })

  it('[REG-09] gives every command of a cluster an id, and keeps an existing one', async () => {
    const ids: (string | null)[] = []
    const submit = async ({ clientId }: CommandEnvelope) => {
      ids.push(clientId)
      return answered
    }
    for (const isClustered of [true, false]) {
      const { commands, setRoute, touch } = build({ isClustered })
      setRoute(true, submit)
      await touch()
      await commands.execute(touchUsers, null, input, { clientId: 'mine' })
    }
    expect(ids).toEqual([expect.stringMatching(/^region:[0-9a-f-]{36}$/), 'mine', null, 'mine'])
  })

  it('[REG-28] waits for another region where the command and the settings ask for it', async () => {
    const actor = { userId: 1, sessionId: 2, role: 'rootadmin' as const }
    for (const awaitReplicaAck of [true, false]) {
      const { commands, setRoute } = build({ awaitReplicaAck })
      const submit = vi.fn(async () => answered)
      setRoute(true, submit)
      await commands.execute(touchUsers, actor, input)
      await commands.execute(liftBan, actor, { username: 'can' })
      expect(submit.mock.calls.map((call: unknown[]) => call[1])).toEqual([false, awaitReplicaAck])
    }
  })

  it('[REG-25] submits an indeterminate command again under the same id on another route', async () => {
    const { reported, setRoute, removeRoute, touch } = build()
    const ids: (string | null)[] = []
    setRoute(false, async ({ clientId }) => {
      ids.push(clientId)
      removeRoute()
      return 'indeterminate'
    })
    const outcome = touch()
    await vi.advanceTimersByTimeAsync(1_900)
    setRoute(true, async ({ clientId }) => {
      ids.push(clientId)
      return answered
    })
    expect(await outcome).toEqual({ touched: 1 })
    expect(ids[0]).toBe(ids[1])
    expect(reported).toEqual(['forwarded: indeterminate'])
  })

  it('[REG-25] does not retry on the route that lost the command', async () => {
    const { setRoute, touch } = build()
    let tries = 0
    setRoute(false, async () => {
      tries++
      return 'indeterminate'
    })
    const outcome = touch()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await outcome).toMatchObject({ body: { code: 'RegionCut' } })
    expect(tries).toBe(1)
  })

  it('[REG-26] refuses a command with RegionCut after 2 s without a route', async () => {
    const { setRoute, touch } = build()
    const late = touch()
    await vi.advanceTimersByTimeAsync(1_999)
    const inTime = touch()
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toMatchObject({ body: { code: 'RegionCut', message: expect.stringContaining('bağlantısı') } })
    setRoute(true, async () => answered)
    expect(await inTime).toEqual({ touched: 1 })
  })

  it('[REG-24] answers once this region shows the change, and marks a stale answer', async () => {
    const { reported, setRoute, touch } = build({ waitForPosition: async (_, timeoutMs) => timeoutMs !== 5_000 })
    setRoute(false, async () => answered)
    expect(await touch()).toEqual({ touched: 1, behind: true })
    expect(reported).toContain('behind')
    setRoute(true, async () => answered)
    expect(await touch()).toEqual({ touched: 1 })
  })

  it('[REG-24] answers a refusal at once', async () => {
    const { setRoute, touch } = build({ waitForPosition: () => new Promise(() => {}) })
    setRoute(false, async () => ({ refusal: { code: 'NotFound', message: '' }, position: at }))
    expect(await touch()).toBeInstanceOf(Refusal)
  })

  it('[LIVE-26] refuses with Busy at the limit and with ShuttingDown while draining, and drains when all are answered', async () => {
    const { commands, setRoute, touch } = build()
    const pending = [touch(), touch(), touch()]
    expect(await touch()).toMatchObject({ body: { code: 'Busy' } })
    let drained = false
    const draining = commands.drain().then(() => {
      drained = true
    })
    expect(await touch()).toMatchObject({ body: { code: 'ShuttingDown' } })
    await vi.advanceTimersByTimeAsync(1)
    expect(drained).toBe(false)
    setRoute(true, async () => answered)
    expect(await Promise.all(pending)).toEqual([{ touched: 1 }, { touched: 1 }, { touched: 1 }])
    await vi.runAllTimersAsync()
    await draining
    expect(commands.size()).toBe(0)
  })
})
