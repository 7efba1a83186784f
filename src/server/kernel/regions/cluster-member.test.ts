import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandRegistry } from '../../commands.ts'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { Leader } from '../database/leader.ts'
import type { Position } from '../database/position.ts'
import type { Reader } from '../database/read.ts'
import type { CommandOutcome } from '../database/writer-client.ts'
import { ClusterMember, type ClusterMemberOptions } from './cluster-member.ts'
import type { PrimaryMessage, ReplicaMessage } from './link/link-messages.ts'
import type { LinkedRegion } from './link/link-server.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import { PositionWaiter } from './replication/position-waiter.ts'
import { ReplicationLag } from './replication/replication-lag.ts'

const at = (n: number): Position => ({ txid: String(n).padStart(16, '0'), seq: n })
const envelope: CommandEnvelope = {
  command: 'touchUsers',
  actor: null,
  input: { userIds: [1] },
  clientId: 'region:1',
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A fake's list of listeners. */
function createListeners<A extends unknown[]>() {
  const all: ((...args: A) => void)[] = []
  return {
    on: (listener: (...args: A) => void) => void all.push(listener),
    notify: (...args: A) => all.forEach((listener) => void listener(...args)),
  }
}

/** A region whose LiteFS, writer and link are driven by hand. */
function build() {
  const done: string[] = []
  const local = {
    position: at(1),
    leader: { is: 'nobody' } as Leader,
    isOpen: false,
    opens: 'opened' as 'opened' | 'leaseLost',
  }
  const leaders = createListeners<[Leader]>()
  const transactions = createListeners<[]>()
  const litefs: LiteFsClient = {
    leader: () => local.leader,
    txid: () => local.position.txid,
    onLeaderChange: leaders.on,
    onTransaction: transactions.on,
    lagMs: () => 0,
    promote: async () => void done.push('promote'),
    close: () => {},
  }
  let submit: () => Promise<CommandOutcome> = async () => ({ answer: { touched: 1 }, position: local.position })
  const writer: ClusterMemberOptions['writer'] = {
    openDatabase: async () => {
      done.push('open')
      local.isOpen = local.opens === 'opened'
      return local.opens === 'leaseLost' ? 'leaseLost' : local.position
    },
    submit: () => (local.isOpen ? submit() : Promise.resolve('indeterminate')),
    closeDatabase: async () => {
      done.push('close')
      local.isOpen = false
      return local.position
    },
    onCommit: () => {},
  }
  const fromReplicas = createListeners<[LinkedRegion, ReplicaMessage]>()
  const linked: LinkedRegion[] = []
  const linkServer: ClusterMemberOptions['linkServer'] = {
    regions: () => linked,
    onMessage: fromReplicas.on,
    setAccepting: (isPrimary) => void done.push(isPrimary ? 'accept links' : 'reject links'),
    close: () => {},
  }
  const fromPrimary = createListeners<[PrimaryMessage]>()
  const came = createListeners<[{ region: string; url: string }]>()
  const went = createListeners<[]>()
  const sent: ReplicaMessage[] = []
  const linkClient: ClusterMemberOptions['linkClient'] = {
    connectTo: (url) => void done.push(`connect to ${url}`),
    send: (message) => sent.push(message) > 0,
    onMessage: fromPrimary.on,
    onLinked: came.on,
    onUnlinked: went.on,
    close: () => {},
  }
  const notified: string[] = []
  let fetching = Promise.resolve()
  const positionWaiter = new PositionWaiter(() => local.position)
  const member = new ClusterMember({
    region: 'ist',
    commands: commandRegistry,
    litefs,
    writer,
    linkServer,
    linkClient,
    positionWaiter,
    clock: { now: () => 0, offsetMs: () => 0, addSample: () => {} },
    logTailer: { publishNew: () => 0, publishToEnd: () => {} },
    replicationLag: new ReplicationLag(),
    termLedger: { beginTerm: () => {}, recordCommit: () => {}, reportLostEvents: () => {}, close: () => {} },
    reader: {} as Reader, // only passed to the term ledger
    localPosition: () => local.position,
    log: pino({ enabled: false }),
    checkMigrations: () => {},
    onUnacknowledged: () => void notified.push('unconfirmed'),
    onFatal: (error) => {
      throw error
    },
  })
  void member.start({
    onWriteRouteChange: () => {},
    onTransaction: () => {},
    onBeforePromotion: () => fetching,
    onPromoted: async () => void notified.push('leads'),
  })
  return {
    member,
    local,
    done,
    notified,
    sent,
    fromPrimary,
    fromReplicas,
    came,
    went,
    transactions,
    setFetching: (what: Promise<void>) => {
      fetching = what
    },
    setSubmit: (how: () => Promise<CommandOutcome>) => {
      submit = how
    },
    /** LiteFS names a leader. */
    lead: async (leader: Leader) => {
      local.leader = leader
      leaders.notify(leader)
      await vi.advanceTimersByTimeAsync(0)
    },
    /** Another region links to this one. */
    link: (region: string, isCandidate: boolean, position: Position) => {
      const received: PrimaryMessage[] = []
      const other = {
        region,
        isCandidate,
        url: `http://${region}`,
        position: () => position,
        send: (message: PrimaryMessage) => void received.push(message),
      }
      linked.push(other)
      return { other, received }
    },
  }
}

describe('a cluster member', () => {
  it('[REG-01] [REG-02] opens the database while it has the lease, and otherwise links to the primary', async () => {
    const { member, done, notified, lead, came } = build()
    await lead({ is: 'other', url: 'http://fra' })
    expect(done).toEqual(['connect to http://fra'])
    expect(member.writeRoute()).toBeNull()
    came.notify({ region: 'fra', url: 'http://fra' })
    expect(member.writeRoute()).toMatchObject({ isLocal: false })
    expect([member.role(), member.primaryRegion()]).toEqual(['replica', 'fra'])

    await lead({ is: 'self' })
    expect(done.slice(1)).toEqual(['connect to null', 'open', 'accept links'])
    expect([member.role(), member.primaryRegion(), notified]).toEqual(['primary', 'ist', ['leads']])
    expect(await member.writeRoute()?.submit(envelope, false)).toMatchObject({ answer: { touched: 1 } })

    await lead({ is: 'other', url: 'http://sin' })
    expect(done.slice(4)).toEqual(['reject links', 'close', 'connect to http://sin'])
    expect(notified).toEqual(['leads'])
  })

  it('[REG-08] steps down when a batch is lost, and opens the database again if LiteFS still names it the primary', async () => {
    const { member, done, local, lead, setSubmit } = build()
    await lead({ is: 'self' })
    setSubmit(async () => 'indeterminate')
    expect(await member.writeRoute()?.submit(envelope, false)).toBe('indeterminate')
    expect(member.writeRoute()).toBeNull()
    expect(member.role()).toBe('replica')
    local.opens = 'leaseLost'
    await vi.advanceTimersByTimeAsync(300)
    expect(member.role()).toBe('replica')
    local.opens = 'opened'
    await vi.advanceTimersByTimeAsync(300)
    expect(member.role()).toBe('primary')
    expect(done.filter((what) => what === 'open')).toHaveLength(3)
  })

  it('[REG-23] [REG-33] runs commands of other regions, and refuses unknown and primary-only ones', async () => {
    const { lead, link, fromReplicas } = build()
    const { other, received } = link('fra', true, at(1))
    const send = async (changes: Partial<CommandEnvelope>) => {
      fromReplicas.notify(other, {
        kind: 'command',
        id: 7,
        envelope: { ...envelope, ...changes },
        awaitReplicaAck: false,
      })
      await vi.advanceTimersByTimeAsync(0)
      return received.pop()
    }
    expect(await send({})).toEqual({ kind: 'indeterminate', id: 7 })
    await lead({ is: 'self' })
    expect(await send({})).toEqual({ kind: 'answer', id: 7, answer: { touched: 1 }, position: at(1) })
    const refused = { kind: 'answer', refusal: { code: 'UnknownCommand' } }
    expect(await send({ command: 'trimLog' })).toMatchObject(refused)
    expect(await send({ command: 'toString' as CommandEnvelope['command'] })).toMatchObject(refused)
    expect(await send({ clientId: null })).toMatchObject(refused)
  })

  it('[REG-25] makes commands indeterminate when their link ends', async () => {
    const { member, came, went, sent, fromPrimary } = build()
    came.notify({ region: 'fra', url: 'http://fra' })
    const route = member.writeRoute()
    const [first, second] = [route?.submit(envelope, false), route?.submit(envelope, true)]
    expect(sent.slice(-2)).toMatchObject([
      { kind: 'command', awaitReplicaAck: false },
      { kind: 'command', awaitReplicaAck: true },
    ])
    const id = (sent.at(-2) as { id: number }).id
    fromPrimary.notify({ kind: 'answer', id, answer: { touched: 1 }, position: at(2) })
    went.notify()
    expect(await first).toEqual({ answer: { touched: 1 }, position: at(2) })
    expect(await second).toBe('indeterminate')
    expect(member.writeRoute()).toBeNull()
  })

  it('[REG-27] is fresh once it has what the primary had when asked, and not when it cannot know', async () => {
    const { member, local, came, went, sent, fromPrimary, transactions } = build()
    expect(await member.waitUntilFresh()).toBe(false)
    came.notify({ region: 'fra', url: 'http://fra' })
    const answer = (position: Position) => {
      const { id } = sent.findLast((message) => message.kind === 'getPosition') as { id: number }
      fromPrimary.notify({ kind: 'position', id, position })
    }
    const soon = member.waitUntilFresh()
    answer(at(2))
    local.position = at(2)
    transactions.notify()
    expect(await soon).toBe(true)

    const late = member.waitUntilFresh()
    answer(at(3))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await late).toBe(false)

    const cut = member.waitUntilFresh()
    went.notify()
    expect(await cut).toBe(false)
  })

  it('[REG-28] answers after another region acknowledges, and counts answers that none acknowledged in time', async () => {
    const { member, local, notified, lead, link, fromReplicas } = build()
    await lead({ is: 'self' })
    local.position = at(5)
    const position = { now: at(4) }
    const { other } = link('fra', false, at(4))
    Object.assign(other, { position: () => position.now })
    let answered = 0
    const submit = () =>
      member
        .writeRoute()
        ?.submit(envelope, true)
        .then(() => answered++)
    void submit()
    await vi.advanceTimersByTimeAsync(100)
    expect(answered).toBe(0)
    position.now = at(5)
    fromReplicas.notify(other, { kind: 'position', position: at(5) })
    await vi.advanceTimersByTimeAsync(0)
    expect([answered, notified]).toEqual([1, ['leads']])

    local.position = at(6)
    void submit()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([answered, notified]).toEqual([2, ['leads', 'unconfirmed']])
  })

  it('[REG-29] closes the database and offers the lease to the newest candidate, then to the next', async () => {
    const { member, done, lead, link } = build()
    await lead({ is: 'self' })
    const behind = link('fra', true, at(0))
    const first = link('sin', true, at(1))
    const never = link('iad', false, at(1))
    const ended = member.handOver()
    await vi.advanceTimersByTimeAsync(0)
    expect(done.at(-1)).toBe('close')
    expect(first.received).toEqual([{ kind: 'handOver', position: at(1) }])
    expect(behind.received).toEqual([])
    expect(member.writeRoute()).toBeNull()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(behind.received).toEqual([{ kind: 'handOver', position: at(1) }])
    await lead({ is: 'other', url: 'http://fra' })
    await ended
    expect(never.received).toEqual([])
  })

  it('[REG-29] takes an offered lease once it has everything', async () => {
    const { done, local, came, fromPrimary, transactions, setFetching } = build()
    came.notify({ region: 'fra', url: 'http://fra' })
    fromPrimary.notify({ kind: 'handOver', position: at(2) })
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual([])
    local.position = at(2)
    transactions.notify()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual(['promote'])

    // Files that take too long to fetch are left out.
    setFetching(new Promise(() => {}))
    fromPrimary.notify({ kind: 'handOver', position: at(2) })
    await vi.advanceTimersByTimeAsync(500)
    expect(done).toEqual(['promote', 'promote'])

    local.position = at(1)
    fromPrimary.notify({ kind: 'handOver', position: at(9) })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(done).toHaveLength(2)
  })

  it('[REG-26] becomes ready without a primary after 10 s', async () => {
    const { member } = build()
    expect(member.notReadyReason()).toContain('catching up')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(member.notReadyReason()).toBeNull()
  })
})
