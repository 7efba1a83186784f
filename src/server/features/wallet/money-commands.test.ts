import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { decode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { toLira } from '../../../shared/wallet/ledger.ts'
import { commandRegistry } from '../../commands.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import type { WriteJob } from '../../kernel/database/writer.ts'
import { balanceOf } from '../../model/wallet/queries.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { type Draw, type MoneyWorld, moneyCases } from '../../testing/fixtures/money-cases.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { checkLedger } from './check-ledger.ts'

const serverFolder = join(import.meta.dirname, '../..')
/** Without tests, and without the ledger itself. */
const sources = new Map(
  globSync('**/*.ts', {
    cwd: serverFolder,
    exclude: ['testing/**', '**/*.test.ts', 'model/wallet/transactions.ts'],
  }).map((file) => [file, readFileSync(join(serverFolder, file), 'utf8')]),
)

/** The commands whose files call the ledger, directly or by files that are no commands themselves. */
function findMoneyCommands(): string[] {
  const movers = new Set(
    [...sources].flatMap(([file, text]) => (/\b(?:spendBalance|moveMoney)\(/.test(text) ? file : [])),
  )
  for (const mover of movers) {
    if (/defineCommand\(/.test(sources.get(mover) ?? '')) continue
    for (const [file, text] of sources) if (importsOf(file, text).includes(mover)) movers.add(file)
  }
  const texts = [...movers].map((file) => sources.get(file) ?? '')
  return texts.flatMap((text) => [...text.matchAll(/defineCommand\(\{\s*name: '(\w+)'/g)].map(([, name = '']) => name))
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => normalize(join(file, '..', target)))
}

describe('commands that move money', () => {
  const names = findMoneyCommands()

  it('[LEDGER-17] have a case each in the test of random interleavings', () => {
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !Object.hasOwn(moneyCases, name))).toEqual([])
    expect(Object.keys(moneyCases).filter((name) => !commandRegistry.byName.has(name))).toEqual([])
  })

  it.each(names)('[LEDGER-18] %s is answered when another region has it, and a retry gets the first answer', (name) => {
    expect(commandRegistry.byName.get(name)).toMatchObject({ awaitsReplicaAck: true, keepResult: 'week' })
    expect(commandRegistry.byName.get(name)?.retryInput).not.toEqual([])
  })

  it.each([
    ['sendGift', { giftKindId: 1, recipientId: 2, roomId: null, isShared: false }],
    ['upgradeToPremium', {}],
    ['orderRoom', { name: 'Yeni Oda', capacityOptionId: 1, durationOptionId: 1, isList: true }],
  ])('[LEDGER-06] %s without money writes nothing, so that its batch need not run again', async (command, input) => {
    const site = await openTestDatabase()
    const [poor] = [site.addMember('ada'), site.addMember('can')]
    const countChanges = () => site.writerDb.prepare('select total_changes()').pluck().get() // those rolled back too
    const before = countChanges()
    const { refusal } = site.run({ actor: { userId: poor, sessionId: poor }, command, input })
    expect(refusal).toMatchObject({ code: 'InsufficientBalance' })
    expect(countChanges()).toBe(before)
    site.close()
  })
})

interface Step {
  draw: Draw
  name: string
  /** Repeats the job of an earlier step under its clientId. */
  retries: number | null
}

const step: fc.Arbitrary<Step> = fc.record({
  draw: fc.record({ who: fc.nat(50), what: fc.nat(50), choice: fc.nat(50) }),
  name: fc.constantFrom(...Object.keys(moneyCases)),
  retries: fc.option(fc.nat(50), { freq: 3 }),
})
interface Batch {
  steps: Step[]
  /** Time that passes after it: a room that was ordered before may be renewed. */
  passesMs: number
}
const MINUTE_MS = 60_000
const batches: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    passesMs: fc.constantFrom(MINUTE_MS, 10 * 24 * 60 * MINUTE_MS),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
)

async function openWorld(): Promise<MoneyWorld> {
  const site = await openTestDatabase()
  site.writerDb.pragma('synchronous = off')
  const add = (username: string, role: 'member' | 'rootadmin'): Actor => {
    const id = site.addMember(username, role)
    return { userId: id, sessionId: id, role }
  }
  const people = ['ada', 'can', 'deniz'].map((name) => add(name, 'member'))
  const rootAdmins = ['kök', 'dal'].map((name) => add(name, 'rootadmin'))
  for (const { userId } of people.slice(0, 2)) {
    giveMoney(site.file, { userId, amountKurus: 80_000 })
    giveMoney(site.file, { userId, amountKurus: 40_000, kind: 'earned' })
  }
  return { site, people, rootAdmins }
}

/** Runs the batches, and expects of each retry the first answer and no further ledger transaction. */
function runBatches({ site, ...rest }: MoneyWorld, drawn: readonly Batch[]): void {
  const done: { job: WriteJob; answer: object }[] = []
  for (const { steps, passesMs } of drawn) {
    const jobs = steps.map(({ draw, name, retries }) => {
      const earlier = retries === null ? undefined : done[retries % Math.max(1, done.length)]
      if (earlier) return { job: earlier.job, expected: earlier.answer }
      const { actor, input } = moneyCases[name]?.createJob({ site, ...rest }, draw) ?? expect.unreachable(name)
      const clientId = crypto.randomUUID()
      return { job: { id: 0, command: name, actor, input, clientId }, expected: null }
    })
    const { results } = site.writer.runBatch(jobs.map(({ job }) => job))
    for (const [index, { job, expected }] of jobs.entries()) {
      const { answer, errorStack } = results[index] ?? {}
      expect(errorStack).toBeUndefined()
      if (expected) expect(answer).toEqual(expected)
      else if (answer) done.push({ job, answer })
    }
    site.clock.now += passesMs
  }
}

/** What the features' tables say was paid, and what the ledger has, without the money that the world began with. */
function comparePayments({ site }: MoneyWorld): { expected: unknown[]; ledger: unknown[] } {
  const read = (sql: string) => site.db.prepare(`select * from (${sql}) order by kind, referenceId`).all()
  const expected = Object.values(moneyCases).flatMap((one) => one.expected ?? [])
  const ledger =
    'select referenceId, kind, count(*) as count from ledgerTransaction where referenceId < 1000000000 group by referenceId, kind'
  return { expected: read(expected.join(' union all ')), ledger: read(ledger) }
}

/** The balances of the site's accounts except the bank. */
function readSiteAccounts({ site }: MoneyWorld): object {
  const rows = site.db.prepare("select kind, balanceKurus from ledgerAccount where userId is null and kind <> 'bank'")
  return Object.fromEntries(rows.raw().all() as [string, number][]) // the two columns
}

/** The same by the features' tables. */
function sumSiteAccounts({ site }: MoneyWorld): object {
  const sums = Object.values(moneyCases).flatMap(({ holds }) => holds ?? [])
  return Object.fromEntries(sums.map(({ account, kurus }) => [account, site.db.prepare(kurus).pluck().get() ?? 0]))
}

/** What the user was told last; nothing was told of an empty balance that never changed. */
function lastBalanceEvent({ site }: MoneyWorld, userId: UserId): object {
  const last = site.db.prepare(
    "select payload from event where stream = ? and name = 'balanceUpdated' order by seq desc",
  )
  const payload = last.pluck().get(userStream(userId))
  return payload instanceof Uint8Array ? (decode(payload) as object) : { balance: 0, withdrawable: 0 } // tx.emit wrote it
}

function balanceLiraOf({ site }: MoneyWorld, userId: UserId): object {
  const { balanceKurus, withdrawableKurus } = balanceOf(site.read, userId)
  return { balance: toLira(balanceKurus), withdrawable: toLira(withdrawableKurus) }
}

it('[LEDGER-02] [LEDGER-03] [LEDGER-04] [LEDGER-08] [LEDGER-17] any interleaving of money commands and retries keeps the ledger right, pays each thing once, and tells each balance', async () => {
  const property = fc.asyncProperty(batches, async (drawn) => {
    const world = await openWorld()
    try {
      runBatches(world, drawn)
      expect(checkLedger(world.site.read)).toEqual([])
      const { expected, ledger } = comparePayments(world)
      expect(ledger).toEqual(expected)
      expect(readSiteAccounts(world)).toEqual(sumSiteAccounts(world))
      for (const { userId } of [...world.people, ...world.rootAdmins])
        expect(lastBalanceEvent(world, userId)).toEqual(balanceLiraOf(world, userId))
    } finally {
      world.site.close()
    }
  })
  await fc.assert(property, { numRuns: 25 })
}, 60_000)
