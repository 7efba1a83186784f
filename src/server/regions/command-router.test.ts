import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { touchUsers } from '../accounts/users/touch-users.ts'
import type { CommandEnvelope, CommandOutcome } from '../database/writer-client.ts'
import { CommandRouter, type CommandRouterOptions, type WriteRoute } from './command-router.ts'

const at = { txid: '0000000000000007', seq: 7 }
const input = { userIds: [1] }
const answered: CommandOutcome = { answer: { touched: 1 }, position: at }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A road that is built and broken by hand. */
function build(more: Partial<CommandRouterOptions> = {}) {
  const told: string[] = []
  const state: { road: WriteRoute | null } = { road: null }
  const commands = new CommandRouter({
    writeRoute: () => state.road,
    isClustered: true,
    awaitReplicaAck: false,
    maxInFlight: 3,
    waitForPosition: async () => true,
    onForwarded: (outcome) => told.push(`forwarded: ${outcome}`),
    onStaleAnswer: () => told.push('behind'),
    ...more,
  })
  const lay = (isHere: boolean, carry: (order: CommandEnvelope) => Promise<CommandOutcome>) => {
    state.road = { isLocal: isHere, submit: carry }
    commands.notifyRouteChange()
  }
  const cut = () => {
    state.road = null
    commands.notifyRouteChange()
  }
  return { commands, told, lay, cut, touch: () => commands.execute(touchUsers, null, input) }
}

describe('the road to the one writer', () => {
  it('[REG-23] takes a command to the writer, here or over the link, without the role that this region knows', async () => {
    const { commands, told, lay } = build()
    const orders: CommandEnvelope[] = []
    const carry = async (order: CommandEnvelope) => {
      orders.push(order)
      return answered
    }
    const actor = { userId: 1, sessionId: 2, role: 'rootadmin' as const }
    for (const isHere of [true, false]) {
      lay(isHere, carry)
      expect(await commands.execute(touchUsers, actor, input)).toEqual({ touched: 1 })
    }
    expect(orders.map((order) => order.actor)).toEqual([
      { userId: 1, sessionId: 2 },
      { userId: 1, sessionId: 2 },
    ])
    expect(told).toEqual(['forwarded: answered'])
  })

  it('[REG-09] gives every command an id where it may be sent twice, and keeps the one that it has', async () => {
    const ids: (string | null)[] = []
    const carry = async ({ clientId }: CommandEnvelope) => {
      ids.push(clientId)
      return answered
    }
    for (const amongRegions of [true, false]) {
      const { commands, lay, touch } = build({ isClustered: amongRegions })
      lay(true, carry)
      await touch()
      await commands.execute(touchUsers, null, input, { clientId: 'mine' })
    }
    expect(ids).toEqual([expect.stringMatching(/^region:[0-9a-f-]{36}$/), 'mine', null, 'mine'])
  })

  it('[REG-25] sends what was under way again, under the same id, when the road was lost and there is another', async () => {
    const { told, lay, cut, touch } = build()
    const ids: (string | null)[] = []
    lay(false, async ({ clientId }) => {
      ids.push(clientId)
      cut()
      return 'indeterminate'
    })
    const outcome = touch()
    await vi.advanceTimersByTimeAsync(1_900)
    lay(true, async ({ clientId }) => {
      ids.push(clientId)
      return answered
    })
    expect(await outcome).toEqual({ touched: 1 })
    expect(ids[0]).toBe(ids[1])
    expect(told).toEqual(['forwarded: indeterminate'])
  })

  it('[REG-25] does not try the very road again that lost it', async () => {
    const { lay, touch } = build()
    let tries = 0
    lay(false, async () => {
      tries++
      return 'indeterminate'
    })
    const outcome = touch()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await outcome).toMatchObject({ body: { code: 'RegionCut' } })
    expect(tries).toBe(1)
  })

  it('[REG-26] holds a command for 2 s where there is no road, and then refuses it with RegionCut', async () => {
    const { lay, touch } = build()
    const late = touch()
    await vi.advanceTimersByTimeAsync(1_999)
    const inTime = touch()
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toMatchObject({ body: { code: 'RegionCut', message: expect.stringContaining('bağlantısı') } })
    lay(true, async () => answered)
    expect(await inTime).toEqual({ touched: 1 })
  })

  it('[REG-24] answers from another region when this one shows it, and says when it could not', async () => {
    const { told, lay, touch } = build({ waitForPosition: async (_, deadlineMs) => deadlineMs !== 5_000 })
    lay(false, async () => answered)
    expect(await touch()).toEqual({ touched: 1, behind: true })
    expect(told).toContain('behind')
    lay(true, async () => answered)
    expect(await touch()).toEqual({ touched: 1 })
  })

  it('[REG-24] does not hold a refusal back', async () => {
    const { lay, touch } = build({ waitForPosition: () => new Promise(() => {}) })
    lay(false, async () => ({ refusal: { code: 'NotFound', message: '' }, position: at }))
    expect(await touch()).toBeInstanceOf(Refusal)
  })

  it('refuses with Busy what is too much, and with ShuttingDown what comes after the end, and ends when all is answered', async () => {
    const { commands, lay, touch } = build()
    const held = [touch(), touch(), touch()]
    expect(await touch()).toMatchObject({ body: { code: 'Busy' } })
    let drained = false
    const draining = commands.drain().then(() => {
      drained = true
    })
    expect(await touch()).toMatchObject({ body: { code: 'ShuttingDown' } })
    expect(drained).toBe(false)
    lay(true, async () => answered)
    expect(await Promise.all(held)).toEqual([{ touched: 1 }, { touched: 1 }, { touched: 1 }])
    await vi.runAllTimersAsync()
    await draining
    expect(commands.size()).toBe(0)
  })
})
