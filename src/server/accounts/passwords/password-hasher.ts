import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { Semaphore } from '../../limits/semaphore.ts'

const argon2Async = promisify(argon2)

/** 19 MiB, 2 passes, 1 lane: the least that OWASP's Password Storage Cheat Sheet advises for argon2id. */
const ARGON2_COST = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Two at a time leave cores for the rest; this many may wait, about two seconds' worth. */
const MAX_CONCURRENT_HASHES = 2
const MAX_QUEUED_HASHES = 50

/** Hashed in place of a password that is not there, so that an unknown name takes as long as a known one. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$TWV5ZGFuIG5vYm9keS4uLg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Hashes passwords, a few at a time; one for each process. */
export class PasswordHasher {
  /** How many were computed, for the test that an unknown name costs the same. */
  computedCount = 0
  private readonly semaphore: Semaphore

  constructor(maxQueued = MAX_QUEUED_HASHES) {
    this.semaphore = new Semaphore(MAX_CONCURRENT_HASHES, maxQueued)
  }

  /** A PHC string (`$argon2id$v=19$m=...$salt$hash`), or Busy when too many wait. */
  async hash(password: string): Promise<string | Refusal> {
    const salt = randomBytes(SALT_BYTES)
    const tag = await this.computeHash(password, { ...ARGON2_COST, salt, tagLength: HASH_BYTES })
    if (tag instanceof Refusal) return tag
    const { memory, passes, parallelism } = ARGON2_COST
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`
  }

  /** Whether the password is the one that was stored; with nothing stored it works as long and says no. */
  async verify(password: string, stored: string | null): Promise<boolean | Refusal> {
    const { tag, ...cost } = parsePhc(stored ?? DUMMY_HASH)
    const computed = await this.computeHash(password, cost)
    if (computed instanceof Refusal) return computed
    return timingSafeEqual(computed, tag) && stored !== null
  }

  private computeHash(password: string, { salt, ...cost }: Argon2Cost): Promise<Buffer | Refusal> {
    return this.semaphore.run(() => {
      this.computedCount++
      // Keyboards spell one text in several ways in Unicode; all of them are one password (RFC 8265).
      return argon2Async('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt })
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
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc)
  if (!found) throw new Error('a stored password is not an argon2id PHC string')
  const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = found
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

/** Base64 without padding, as the PHC string format has it. */
function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
