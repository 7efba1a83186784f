import { LRUCache } from 'lru-cache'
import type { UserId } from '../../../shared/protocol/ids.ts'
import {
  FLOOD_WINDOW_MS,
  MAX_FLOOD_ACCOUNTS,
  MAX_FLOOD_FINGERPRINTS,
  MAX_FLOOD_TEXTS,
  MIN_FLOOD_ACCOUNTS,
  MIN_FLOOD_MESSAGES,
  USUAL_MESSAGES_FACTOR,
} from '../../../shared/text-filters/limits.ts'
import { atMostEntries } from '../../kernel/limits/at-most-entries.ts'

/** Messages of an account since it was counted last. */
export interface CountedMessages {
  /** The keyed hash of the account's address. */
  fingerprint: string
  userId: UserId
  messageCount: number
  /** Of the first of their events. */
  firstSeq: number
  at: number
}

/** A text of an account; texts that share a key are the same or nearly the same. */
export interface FloodText {
  userId: UserId
  keys: readonly string[]
  /** null for direct messages. */
  sample: string | null
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
  /** Texts of events up to this one are noted, or of an earlier window. */
  readSeq: number
  byText: LRUCache<string, Tally>
}

/** The part of the usual count that the last window makes up. */
const LAST_WINDOW_SHARE = 0.3

/**
 * Finds accounts of one address that write the same text, or much more than usual, within minutes. Messages are counted; the
 * texts are needed only where enough accounts write. Everything is bounded: addresses, texts of an address, and accounts of a
 * text. It is lost with the process, so a flood is found a little later.
 */
export class FloodWatch {
  private readonly states = new LRUCache<string, FingerprintState>(atMostEntries(MAX_FLOOD_FINGERPRINTS))

  /** Counts messages; returns the flood that they complete. One flood is reported once a window. */
  count(counted: CountedMessages): Flood | null {
    const { total, usualCount } = this.stateOf(counted)
    addTo(total, counted.userId, counted.messageCount)
    const isMany = total.messageCount >= Math.max(MIN_FLOOD_MESSAGES, usualCount * USUAL_MESSAGES_FACTOR)
    if (!isMany || total.isReported || total.accounts.size < MIN_FLOOD_ACCOUNTS) return null
    total.isReported = true
    return toFlood('manyMessages', counted.fingerprint, total)
  }

  /** The accounts whose texts are needed, and the event after which; null while too few accounts write. */
  unreadTexts(fingerprint: string): { userIds: UserId[]; afterSeq: number } | null {
    const state = this.states.get(fingerprint)
    if (!state || state.total.accounts.size < MIN_FLOOD_ACCOUNTS) return null
    return { userIds: [...state.total.accounts], afterSeq: state.readSeq }
  }

  /** Notes the texts of events up to `readSeq`; returns the floods that they complete. */
  note(fingerprint: string, readSeq: number, texts: readonly FloodText[]): Flood[] {
    const state = this.states.get(fingerprint)
    if (!state) return []
    state.readSeq = readSeq
    return texts.flatMap((text) => noteText(state, fingerprint, text) ?? [])
  }

  private stateOf({ fingerprint, at, firstSeq }: CountedMessages): FingerprintState {
    const known = this.states.get(fingerprint)
    if (!known) {
      const byText = new LRUCache<string, Tally>(atMostEntries(MAX_FLOOD_TEXTS))
      const state = { total: createTally(at), usualCount: 0, readSeq: firstSeq - 1, byText }
      this.states.set(fingerprint, state)
      return state
    }
    const windows = Math.floor((at - known.total.since) / FLOOD_WINDOW_MS)
    if (windows >= 1) {
      const last = known.usualCount * (1 - LAST_WINDOW_SHARE) + known.total.messageCount * LAST_WINDOW_SHARE
      known.usualCount = last * (1 - LAST_WINDOW_SHARE) ** (windows - 1)
      known.total = createTally(at)
      known.readSeq = firstSeq - 1
    }
    return known
  }
}

function noteText(state: FingerprintState, fingerprint: string, text: FloodText): Flood | null {
  for (const key of text.keys) {
    const tally = tallyOfText(state, key, text)
    addTo(tally, text.userId, 1)
    tally.sample = text.sample ?? tally.sample
    if (tally.isReported || tally.accounts.size < MIN_FLOOD_ACCOUNTS) continue
    for (const other of text.keys) tallyOfText(state, other, text).isReported = true
    return toFlood('sameText', fingerprint, tally)
  }
  return null
}

function createTally(since: number): Tally {
  return { since, accounts: new Set(), messageCount: 0, sample: null, isReported: false }
}

function addTo(tally: Tally, userId: UserId, messageCount: number): void {
  tally.messageCount += messageCount
  if (tally.accounts.size < MAX_FLOOD_ACCOUNTS) tally.accounts.add(userId)
}

/** The tally of a text, from the beginning after a window. */
function tallyOfText({ byText }: FingerprintState, key: string, { at }: FloodText): Tally {
  const known = byText.get(key)
  if (known && at - known.since < FLOOD_WINDOW_MS) return known
  const tally = createTally(at)
  byText.set(key, tally)
  return tally
}

function toFlood(kind: Flood['kind'], fingerprint: string, { accounts, messageCount, sample, since }: Tally): Flood {
  return { kind, fingerprint, userIds: [...accounts], messageCount, sample, since }
}
