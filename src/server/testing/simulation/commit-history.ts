import type { TransactionChange } from './simulated-database-file.ts'

/** One transaction, and through it all that came before it: two of one number are told apart by being two. */
export interface Commit {
  /** As LiteFS counts: 16 hex digits. */
  txid: string
  change: TransactionChange
  parent: Commit | null
}

export function createCommit(before: Commit | null, change: TransactionChange): Commit {
  const txid = (Number.parseInt(before?.txid ?? '0', 16) + 1).toString(16).padStart(16, '0')
  return { txid, change, parent: before }
}

/** What came after `known`, oldest first; null when `latest` does not go back to it within so many transactions. */
export function commitsSince(known: Commit | null, latest: Commit, most: number): Commit[] | null {
  const found: Commit[] = []
  for (let at: Commit | null = latest; at !== known; at = at.parent) {
    if (at === null || found.length >= most) return null
    found.push(at)
  }
  return found.reverse()
}

/** What a history has that another has not: everything after the last transaction that they share. */
export function commitsMissingFrom(history: Commit | null, other: Commit | null): Commit[] {
  const kept = new Set<Commit>()
  for (let at = other; at; at = at.parent) kept.add(at)
  const lost: Commit[] = []
  for (let at = history; at && !kept.has(at); at = at.parent) lost.push(at)
  return lost
}
