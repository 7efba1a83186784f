import type { Change } from './simulated-file.ts'

/** One transaction, and through it all that came before it: two of one number are told apart by being two. */
export interface Committed {
  /** As LiteFS counts: 16 hex digits. */
  txid: string
  change: Change
  before: Committed | null
}

export function commitAfter(before: Committed | null, change: Change): Committed {
  const txid = (Number.parseInt(before?.txid ?? '0', 16) + 1).toString(16).padStart(16, '0')
  return { txid, change, before }
}

/** What came after `known`, oldest first; null when `latest` does not go back to it within so many transactions. */
export function since(known: Committed | null, latest: Committed, most: number): Committed[] | null {
  const found: Committed[] = []
  for (let at: Committed | null = latest; at !== known; at = at.before) {
    if (at === null || found.length >= most) return null
    found.push(at)
  }
  return found.reverse()
}

/** What a history has that another has not: everything after the last transaction that they share. */
export function lostWith(history: Committed | null, other: Committed | null): Committed[] {
  const kept = new Set<Committed>()
  for (let at = other; at; at = at.before) kept.add(at)
  const lost: Committed[] = []
  for (let at = history; at && !kept.has(at); at = at.before) lost.push(at)
  return lost
}
