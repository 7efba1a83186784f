import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'

const argon2Async = promisify(argon2)

/** 19 MiB, 2 passes, 1 lane: the least that OWASP's Password Storage Cheat Sheet advises for argon2id. */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Two at a time leave cores for the rest; this many may wait, about two seconds' worth. */
const AT_ONCE = 2
const MAX_WAITING = 50

/** Hashed in place of a password that is not there, so that an unknown name takes as long as a known one. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$TWV5ZGFuIG5vYm9keS4uLg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Hashes passwords, a few at a time; one for each process. */
export class Passwords {
  /** How many were computed, for the test that an unknown name costs the same. */
  computed = 0
  private running = 0
  private readonly waiting: (() => void)[] = []
  private readonly maxWaiting: number

  constructor(maxWaiting = MAX_WAITING) {
    this.maxWaiting = maxWaiting
  }

  /** A PHC string (`$argon2id$v=19$m=...$salt$hash`), or Busy when too many wait. */
  async hash(password: string): Promise<string | Refusal> {
    const salt = randomBytes(SALT_BYTES)
    const tag = await this.compute(password, { ...COST, salt, tagLength: TAG_BYTES })
    if (tag instanceof Refusal) return tag
    const { memory, passes, parallelism } = COST
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
  }

  /** Whether the password is the one that was stored; with nothing stored it works as long and says no. */
  async matches(password: string, stored: string | null): Promise<boolean | Refusal> {
    const { tag, ...cost } = parse(stored ?? NOBODY)
    const computed = await this.compute(password, cost)
    if (computed instanceof Refusal) return computed
    return timingSafeEqual(computed, tag) && stored !== null
  }

  private async compute(password: string, { salt, ...cost }: Cost): Promise<Buffer | Refusal> {
    if (this.running >= AT_ONCE) {
      if (this.waiting.length >= this.maxWaiting) return refuse('Busy')
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.running++
    try {
      this.computed++
      // One text has several spellings in Unicode; whichever keyboard typed it, it is one password (RFC 8265).
      return await argon2Async('argon2id', { ...cost, message: password.normalize('NFC'), nonce: salt })
    } finally {
      // The place goes to whoever waits, or is given up.
      const next = this.waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}

interface Cost {
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tagLength: number
}

function parse(phc: string): Cost & { tag: Buffer } {
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
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
