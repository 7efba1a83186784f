import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reader } from '../database/read.ts'
import type { CommandEnvelope, CommandOutcome } from '../database/writer-client.ts'
import { ClusterMember, type ClusterMemberOptions } from './cluster-member.ts'
import type { LinkClient, LinkedRegion, LinkServer, PrimaryMessage, ReplicaMessage } from './link/link-protocol.ts'
import type { Leader, LiteFsClient } from './litefs/litefs-client.ts'
import type { LogTailer } from './replication/log-tailer.ts'
import type { Position } from './replication/position.ts'
import { PositionWaiter } from './replication/position-waiter.ts'
import type { TermLedger } from './replication/primary-terms.ts'
import { ReplicationLag } from './replication/replication-lag.ts'

const at = (n: number): Position => ({ txid: String(n).padStart(16, '0'), seq: n })
const order: CommandEnvelope = {
  command: 'touchUsers',
  actor: null,
  input: { userIds: [1] },
  clientId: 'region:1',
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What a listener list of a fake does. */
function createListeners<A extends unknown[]>() {
  const all: ((...args: A) => void)[] = []
  return {
    on: (listener: (...args: A) => void) => void all.push(listener),
    tell: (...args: A) => all.forEach((hear) => void hear(...args)),
  }
}

/** One region whose LiteFS, writer and link are moved by hand. */
function build() {
  const done: string[] = []
  const here = {
    position: at(1),
    leader: { is: 'nobody' } as Leader,
    isOpen: false,
    opens: 'opened' as 'opened' | 'leaseLost',
  }
  const leaders = createListeners<[Leader]>()
  const transactions = createListeners<[]>()
  const litefs: LiteFsClient = {
    leader: () => here.leader,
    txid: () => here.position.txid,
    onLeaderChange: leaders.on,
    onTransaction: transactions.on,
    lagMs: () => 0,
    promote: async () => void done.push('promote'),
    close: () => {},
  }
  let carry: () => Promise<CommandOutcome> = async () => ({ answer: { touched: 1 }, position: here.position })
  const door: ClusterMemberOptions['writer'] = {
    openDatabase: async () => {
      done.push('open')
      here.isOpen = here.opens === 'opened'
      return here.opens === 'leaseLost' ? 'leaseLost' : here.position
    },
    submit: () => (here.isOpen ? carry() : Promise.resolve('indeterminate')),
    closeDatabase: async () => {
      done.push('shut')
      here.isOpen = false
      return here.position
    },
  }
  const fromRegions = createListeners<[LinkedRegion, ReplicaMessage]>()
  const linked: LinkedRegion[] = []
  const hub: LinkServer = {
    regions: () => linked,
    onMessage: fromRegions.on,
    onLinked: () => {},
    onUnlinked: () => {},
    setAccepting: (isPrimary) => void done.push(isPrimary ? 'hub opens' : 'hub shuts'),
    close: () => {},
  }
  const fromHub = createListeners<[PrimaryMessage]>()
  const came = createListeners<[{ region: string; url: string }]>()
  const went = createListeners<[]>()
  const sent: ReplicaMessage[] = []
  const dialler: LinkClient = {
    connectTo: (url) => void done.push(`dial ${url}`),
    isLinked: () => true,
    send: (message) => sent.push(message) > 0,
    onMessage: fromHub.on,
    onLinked: came.on,
    onUnlinked: went.on,
    roundTripMs: () => 1,
    close: () => {},
  }
  const told: string[] = []
  let fetching = Promise.resolve()
  const caughtUp = new PositionWaiter(() => here.position)
  const among = new ClusterMember({
    region: 'ist',
    litefs,
    writer: door,
    linkServer: hub,
    linkClient: dialler,
    positionWaiter: caughtUp,
    clock: { now: () => 0, offsetMs: () => 0, addSample: () => {} },
    logTailer: { publishNew: () => 0, publishToEnd: () => {} } as unknown as LogTailer, // what it tells is its own test's
    replicationLag: new ReplicationLag(),
    termLedger: { beginTerm: () => {}, reportLostEvents: () => {} } as unknown as TermLedger, // likewise
    reader: {} as Reader, // only handed to reigns
    localPosition: () => here.position,
    log: pino({ enabled: false }),
    checkMigrations: () => {},
    onUnacknowledged: () => void told.push('unconfirmed'),
    onFatal: (error) => {
      throw error
    },
  })
  void among.start({
    onWriteRouteChange: () => {},
    onTransaction: () => {},
    onBeforePromotion: () => fetching,
    onPromoted: async () => void told.push('leads'),
  })
  return {
    among,
    here,
    done,
    told,
    sent,
    fromHub,
    fromRegions,
    came,
    went,
    transactions,
    setFetching: (what: Promise<void>) => {
      fetching = what
    },
    setCarry: (how: () => Promise<CommandOutcome>) => {
      carry = how
    },
    /** LiteFS says who leads. */
    lead: async (leader: Leader) => {
      here.leader = leader
      leaders.tell(leader)
      await vi.advanceTimersByTimeAsync(0)
    },
    /** Another region links to this one. */
    link: (region: string, isCandidate: boolean, position: Position) => {
      const heard: PrimaryMessage[] = []
      const other = {
        region,
        isCandidate,
        url: `http://${region}`,
        position: () => position,
        send: (message: PrimaryMessage) => void heard.push(message),
      }
      linked.push(other)
      return { other, heard }
    },
  }
}

describe('one of several regions', () => {
  it('[REG-01] [REG-02] writes while it has the lease, and holds on to whoever has it when it has not', async () => {
    const { among, done, told, lead, came } = build()
    await lead({ is: 'other', url: 'http://fra' })
    expect(done).toEqual(['dial http://fra'])
    expect(among.writeRoute()).toBeNull()
    came.tell({ region: 'fra', url: 'http://fra' })
    expect(among.writeRoute()).toMatchObject({ isLocal: false })
    expect([among.role(), among.primaryRegion()]).toEqual(['replica', 'fra'])

    await lead({ is: 'self' })
    expect(done.slice(1)).toEqual(['dial null', 'open', 'hub opens'])
    expect([among.role(), among.primaryRegion(), told]).toEqual(['primary', 'ist', ['leads']])
    expect(await among.writeRoute()?.submit(order, false)).toMatchObject({ answer: { touched: 1 } })

    await lead({ is: 'other', url: 'http://sin' })
    expect(done.slice(4)).toEqual(['hub shuts', 'shut', 'dial http://sin'])
    expect(told).toEqual(['leads'])
  })

  it('[REG-08] leads no more when a batch is lost, and opens the door again where LiteFS says that it still leads', async () => {
    const { among, done, here, lead, setCarry } = build()
    await lead({ is: 'self' })
    setCarry(async () => 'indeterminate')
    expect(await among.writeRoute()?.submit(order, false)).toBe('indeterminate')
    expect(among.writeRoute()).toBeNull()
    expect(among.role()).toBe('replica')
    here.opens = 'leaseLost'
    await vi.advanceTimersByTimeAsync(300)
    expect(among.role()).toBe('replica')
    here.opens = 'opened'
    await vi.advanceTimersByTimeAsync(300)
    expect(among.role()).toBe('primary')
    expect(done.filter((what) => what === 'open')).toHaveLength(3)
  })

  it('[REG-23] carries out what other regions send, and refuses what is no command for them', async () => {
    const { lead, link, fromRegions } = build()
    const { other, heard } = link('fra', true, at(1))
    const send = async (changes: Partial<CommandEnvelope>) => {
      fromRegions.tell(other, { kind: 'command', id: 7, envelope: { ...order, ...changes }, awaitReplicaAck: false })
      await vi.advanceTimersByTimeAsync(0)
      return heard.pop()
    }
    expect(await send({})).toEqual({ kind: 'indeterminate', id: 7 })
    await lead({ is: 'self' })
    expect(await send({})).toEqual({ kind: 'answer', id: 7, answer: { touched: 1 }, position: at(1) })
    const refused = { kind: 'answer', refusal: { code: 'UnknownCommand' } }
    expect(await send({ command: 'trimLog' })).toMatchObject(refused)
    expect(await send({ command: 'toString' as CommandEnvelope['command'] })).toMatchObject(refused)
    expect(await send({ clientId: null })).toMatchObject(refused)
  })

  it('[REG-25] gives up what is under way over a line that ends', async () => {
    const { among, came, went, sent, fromHub } = build()
    came.tell({ region: 'fra', url: 'http://fra' })
    const road = among.writeRoute()
    const [first, second] = [road?.submit(order, false), road?.submit(order, true)]
    expect(sent.slice(-2)).toMatchObject([
      { kind: 'command', awaitReplicaAck: false },
      { kind: 'command', awaitReplicaAck: true },
    ])
    const id = (sent.at(-2) as { id: number }).id
    fromHub.tell({ kind: 'answer', id, answer: { touched: 1 }, position: at(2) })
    went.tell()
    expect(await first).toEqual({ answer: { touched: 1 }, position: at(2) })
    expect(await second).toBe('indeterminate')
    expect(among.writeRoute()).toBeNull()
  })

  it('[REG-27] is up to date when it has what the primary had when it was asked, and says so when it cannot know', async () => {
    const { among, here, came, went, sent, fromHub, transactions } = build()
    expect(await among.waitUntilFresh()).toBe(false)
    came.tell({ region: 'fra', url: 'http://fra' })
    const answer = (position: Position) => {
      const { id } = sent.findLast((message) => message.kind === 'getPosition') as { id: number }
      fromHub.tell({ kind: 'position', id, position })
    }
    const soon = among.waitUntilFresh()
    answer(at(2))
    here.position = at(2)
    transactions.tell()
    expect(await soon).toBe(true)

    const late = among.waitUntilFresh()
    answer(at(3))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await late).toBe(false)

    const cut = among.waitUntilFresh()
    went.tell()
    expect(await cut).toBe(false)
  })

  it('[REG-28] answers what is to be confirmed once another region has it, and counts what none had in time', async () => {
    const { among, here, told, lead, link, fromRegions } = build()
    await lead({ is: 'self' })
    here.position = at(5)
    const position = { now: at(4) }
    const { other } = link('fra', false, at(4))
    Object.assign(other, { position: () => position.now })
    let answered = 0
    const carry = () =>
      among
        .writeRoute()
        ?.submit(order, true)
        .then(() => answered++)
    void carry()
    await vi.advanceTimersByTimeAsync(100)
    expect(answered).toBe(0)
    position.now = at(5)
    fromRegions.tell(other, { kind: 'position', position: at(5) })
    await vi.advanceTimersByTimeAsync(0)
    expect([answered, told]).toEqual([1, ['leads']])

    here.position = at(6)
    void carry()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([answered, told]).toEqual([2, ['leads', 'unconfirmed']])
  })

  it('[REG-29] hands the lease to the candidate that has come furthest, writes nothing more, and tries the next', async () => {
    const { among, done, lead, link } = build()
    await lead({ is: 'self' })
    const behind = link('fra', true, at(0))
    const first = link('sin', true, at(1))
    const never = link('iad', false, at(1))
    const ended = among.handOver()
    await vi.advanceTimersByTimeAsync(0)
    expect(done.at(-1)).toBe('shut')
    expect(first.heard).toEqual([{ kind: 'handOver', position: at(1) }])
    expect(behind.heard).toEqual([])
    expect(among.writeRoute()).toBeNull()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(behind.heard).toEqual([{ kind: 'handOver', position: at(1) }])
    await lead({ is: 'other', url: 'http://fra' })
    await ended
    expect(never.heard).toEqual([])
  })

  it('[REG-29] takes the lease over when it is asked to, once it has everything', async () => {
    const { done, here, came, fromHub, transactions, setFetching } = build()
    came.tell({ region: 'fra', url: 'http://fra' })
    fromHub.tell({ kind: 'handOver', position: at(2) })
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual([])
    here.position = at(2)
    transactions.tell()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual(['promote'])

    // What takes too long to fetch is done without.
    setFetching(new Promise(() => {}))
    fromHub.tell({ kind: 'handOver', position: at(2) })
    await vi.advanceTimersByTimeAsync(500)
    expect(done).toEqual(['promote', 'promote'])

    here.position = at(1)
    fromHub.tell({ kind: 'handOver', position: at(9) })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(done).toHaveLength(2)
  })

  it('[REG-26] serves what it has when nobody can be reached for long', async () => {
    const { among } = build()
    expect(among.notReadyReason()).toContain('catching up')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(among.notReadyReason()).toBeNull()
  })
})
