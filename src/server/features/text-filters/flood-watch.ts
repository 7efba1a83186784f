import { LRUCache } from 'lru-cache'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { foldLetters } from '../../../shared/text-filters/fold-letters.ts'
import {
  FLOOD_WINDOW_MS,
  MAX_FLOOD_ACCOUNTS,
  MAX_FLOOD_FINGERPRINTS,
  MAX_FLOOD_TEXTS,
  MIN_FLOOD_ACCOUNTS,
  MIN_FLOOD_MESSAGES,
  MIN_FLOOD_TEXT_LETTERS,
  USUAL_MESSAGES_FACTOR,
} from '../../../shared/text-filters/limits.ts'
import { atMostEntries } from '../../kernel/limits/at-most-entries.ts'

/** A text that an account has written. */
export interface WrittenText {
  /** The keyed hash of the account's address. */
  fingerprint: string
  userId: UserId
  text: string
  isPrivate: boolean
  at: number
}

/** Accounts of one address that flood. */
export interface Flood {
  kind: 'sameText' | 'manyMessages'
  fingerprint: string
  userIds: UserId[]
  messageCount: number
  /** null for direct messages. */
  sample: string | null
  since: number
}

/** What the accounts of an address have written since a time: all of it, or one text. */
interface Tally {
  since: number
  accounts: Set<UserId>
  messageCount: number
  sample: string | null
  isReported: boolean
}

interface FingerprintState {
  total: Tally
  /** Messages in a window before, averaged. */
  usualCount: number
  byText: LRUCache<string, Tally>
}

/** Letters of the beginning and of the end that make two texts nearly the same. */
const COMPARED_LETTERS = 24
/** The part of the usual count that the last window makes up. */
const LAST_WINDOW_SHARE = 0.3

/**
 * Finds accounts of one address that write the same text, or much more than usual, within minutes. Everything is bounded:
 * addresses, texts of an address, and accounts of a text. It is lost with the process, so a flood is found a little later.
 */
export class FloodWatch {
  private readonly states = new LRUCache<string, FingerprintState>(atMostEntries(MAX_FLOOD_FINGERPRINTS))

  /** Notes a text; returns the flood that it completes. One flood is reported once a window. */
  note(written: WrittenText): Flood | null {
    const state = this.stateOf(written)
    count(state.total, written)
    for (const key of textKeys(written.text)) {
      const tally = tallyOfText(state, key, written)
      count(tally, written)
      if (tally.isReported || tally.accounts.size < MIN_FLOOD_ACCOUNTS) continue
      for (const other of textKeys(written.text)) tallyOfText(state, other, written).isReported = true
      return toFlood('sameText', written.fingerprint, tally)
    }
    const { total, usualCount } = state
    const isMany = total.messageCount >= Math.max(MIN_FLOOD_MESSAGES, usualCount * USUAL_MESSAGES_FACTOR)
    if (!isMany || total.isReported || total.accounts.size < MIN_FLOOD_ACCOUNTS) return null
    total.isReported = true
    return toFlood('manyMessages', written.fingerprint, { ...total, sample: null })
  }

  private stateOf({ fingerprint, at }: WrittenText): FingerprintState {
    const known = this.states.get(fingerprint)
    if (!known) {
      const state = {
        total: createTally(at),
        usualCount: 0,
        byText: new LRUCache<string, Tally>(atMostEntries(MAX_FLOOD_TEXTS)),
      }
      this.states.set(fingerprint, state)
      return state
    }
    const windows = Math.floor((at - known.total.since) / FLOOD_WINDOW_MS)
    if (windows >= 1) {
      const last = known.usualCount * (1 - LAST_WINDOW_SHARE) + known.total.messageCount * LAST_WINDOW_SHARE
      known.usualCount = last * (1 - LAST_WINDOW_SHARE) ** (windows - 1)
      known.total = createTally(at)
    }
    return known
  }
}

function createTally(since: number): Tally {
  return { since, accounts: new Set(), messageCount: 0, sample: null, isReported: false }
}

function count(tally: Tally, { userId, text, isPrivate }: WrittenText): void {
  tally.messageCount++
  if (!isPrivate) tally.sample = text
  if (tally.accounts.size < MAX_FLOOD_ACCOUNTS) tally.accounts.add(userId)
}

/** The tally of a text, from the beginning after a window. */
function tallyOfText({ byText }: FingerprintState, key: string, { at }: WrittenText): Tally {
  const known = byText.get(key)
  if (known && at - known.since < FLOOD_WINDOW_MS) return known
  const tally = createTally(at)
  byText.set(key, tally)
  return tally
}

/** Texts that share a key are the same or nearly the same: all letters, their beginning, or their end. */
function textKeys(text: string): string[] {
  const letters = foldLetters(text)
    .map(({ base }) => base)
    .filter((base, index, all) => !/\d/.test(base) && base !== all[index - 1])
  if (letters.length < MIN_FLOOD_TEXT_LETTERS) return []
  const all = letters.join('')
  if (letters.length <= COMPARED_LETTERS) return [`= ${all}`]
  const [start, end] = [letters.slice(0, COMPARED_LETTERS), letters.slice(-COMPARED_LETTERS)]
  return [`> ${start.join('')}`, `< ${end.join('')}`]
}

function toFlood(kind: Flood['kind'], fingerprint: string, { accounts, messageCount, sample, since }: Tally): Flood {
  return { kind, fingerprint, userIds: [...accounts], messageCount, sample, since }
}
