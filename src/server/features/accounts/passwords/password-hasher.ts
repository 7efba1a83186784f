import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { FairQueue } from '../../../kernel/limits/fair-queue.ts'
import { type PasswordWork, passwordQueueNames } from '../../../model/accounts/passwords.ts'

/** Of one queue: 200 hashes are about 5 seconds of two slow cores. */
const MAX_WAITING = 200

const MAX_WAIT_MS = 10_000

/** A household or a mobile network shares one address. */
const MAX_WAITING_OF_ADDRESS = 50

const MAX_WAITING_OF_ACCOUNT = 10

/**
 * Runs at most `maxConcurrent` tasks at a time; the others wait in the queue of their kind, fairly by address and account.
 * The queues are served in turn, so that each one has its share of the hashes however long the others are.
 */
export class PasswordQueues {
  private readonly maxConcurrent: number
  private readonly queues: FairQueue[]
  private running = 0
  /** The index of the queue that was served last. */
  private served = 0

  constructor(maxConcurrent: number, maxWaitMs = MAX_WAIT_MS) {
    this.maxConcurrent = maxConcurrent
    this.queues = passwordQueueNames.map(() => new FairQueue({ maxWaiting: MAX_WAITING, maxWaitMs }))
  }

  /** Tasks that wait, in all queues. */
  get waitingCount(): number {
    return this.queues.reduce((sum, queue) => sum + queue.length, 0)
  }

  /** The task's result, or Busy when too many wait, or when it has waited for too long. */
  async run<T>(work: PasswordWork, task: () => Promise<T>): Promise<T | Refusal> {
    if (this.running < this.maxConcurrent) this.running++
    else if (!(await this.wait(work))) return refuse('Busy')
    try {
      return await task()
    } finally {
      if (!this.admitNext()) this.running--
    }
  }

  private async wait({ queue, address, account }: PasswordWork): Promise<boolean> {
    const keys = [{ key: `address ${address}`, maxWaiting: MAX_WAITING_OF_ADDRESS }]
    if (account !== null) keys.push({ key: `account ${account}`, maxWaiting: MAX_WAITING_OF_ACCOUNT })
    return (await this.queues[passwordQueueNames.indexOf(queue)]?.wait(keys)) ?? false
  }

  /** Gives the place of a finished task to the next queue in which somebody waits. */
  private admitNext(): boolean {
    for (let i = 0; i < this.queues.length; i++) {
      this.served = (this.served + 1) % this.queues.length
      if (this.queues[this.served]?.admitNext()) return true
    }
    return false
  }
}

const argon2Async = promisify(argon2)

/** 19 MiB, 2 passes, 1 lane: the minimum of OWASP's Password Storage Cheat Sheet for argon2id. */
const ARGON2_COST = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** At least one core is left for other work. */
const MAX_CONCURRENT_HASHES = availableParallelism() > 2 ? 2 : 1
/** For the command line and tests, where nothing else waits. */
const OWN_WORK: PasswordWork = { queue: 'changes', address: '', account: null }

/** Verified against when there is no stored hash, so that an unknown name takes as long as a known one. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$TWV5ZGFuIG5vYm9keS4uLg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export type ComputeHash = (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** Hashes and verifies passwords with bounded concurrency, in fair queues. One instance per process. */
export class PasswordHasher {
  /** Hashes computed so far; tests use it to show that an unknown name costs as much as a known one. */
  computedCount = 0
  private readonly queues: PasswordQueues
  private readonly compute: ComputeHash

  /**
   * @param compute replaced in tests that need slow hashes
   * @param maxWaitMs longer in tests that hold hashes back
   * @param maxConcurrent the same on all machines in such tests
   */
  constructor(compute: ComputeHash = argon2Async, maxWaitMs?: number, maxConcurrent = MAX_CONCURRENT_HASHES) {
    this.compute = compute
    this.queues = new PasswordQueues(maxConcurrent, maxWaitMs)
  }

  /** Hashes that wait, in all queues. */
  get waitingCount(): number {
    return this.queues.waitingCount
  }

  /**
   * A PHC string (`$argon2id$v=19$m=...$salt$hash`), or Busy when the work's queue is full.
   * @param salt 16 unpredictable bytes, for a retry that must have the same hash
   */
  async hash(password: string, work = OWN_WORK, salt: Buffer = randomBytes(SALT_BYTES)): Promise<string | Refusal> {
    const tag = await this.computeHash(password, { ...ARGON2_COST, salt, tagLength: HASH_BYTES }, work)
    if (tag instanceof Refusal) return tag
    const { memory, passes, parallelism } = ARGON2_COST
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`
  }

  /** Whether the password matches the stored PHC string; Busy when the work's queue is full. A null hash costs the same and never matches. */
  async verify(password: string, stored: string | null, work = OWN_WORK): Promise<boolean | Refusal> {
    const { tag, ...cost } = parsePhc(stored ?? DUMMY_HASH)
    const computed = await this.computeHash(password, cost, work)
    if (computed instanceof Refusal) return computed
    return timingSafeEqual(computed, tag) && stored !== null
  }

  private computeHash(password: string, { salt, ...cost }: Argon2Cost, work: PasswordWork): Promise<Buffer | Refusal> {
    return this.queues.run(work, () => {
      this.computedCount++
      // One text has several spellings in Unicode; NFC makes them one password (RFC 8265).
      return this.compute('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt })
    })
  }
}

interface Argon2Cost {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tagLength: number
}

function parsePhc(phc: string): Argon2Cost & { tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc)
  if (!match) throw new Error('the stored password hash is not an argon2id PHC string')
  const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = match
  const tag = Buffer.from(hash, 'base64')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tagLength: tag.length,
    tag,
  }
}

/** Base64 without padding, as the PHC string format requires. */
function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
