import type { TransactionChange } from './simulated-database-file.ts'

/** One transaction and, by `parent`, its history. Commits are compared by identity: after a failover two may share a txid. */
export interface Commit {
  /** LiteFS's transaction id, 16 hex digits. */
  txid: string
  change: TransactionChange
  parent: Commit | null
}

export function createCommit(parent: Commit | null, change: TransactionChange): Commit {
  const txid = (Number.parseInt(parent?.txid ?? '0', 16) + 1).toString(16).padStart(16, '0')
  return { txid, change, parent }
}

/** Commits after `known` up to `latest`, oldest first; null when `known` is not among the last `maxCount` ancestors. */
export function commitsSince(known: Commit | null, latest: Commit, maxCount: number): Commit[] | null {
  const found: Commit[] = []
  for (let at: Commit | null = latest; at !== known; at = at.parent) {
    if (at === null || found.length >= maxCount) return null
    found.push(at)
  }
  return found.reverse()
}

/** Commits of `history` that `other` does not have: all after the last common commit. */
export function commitsMissingFrom(history: Commit | null, other: Commit | null): Commit[] {
  const kept = new Set<Commit>()
  for (let at = other; at; at = at.parent) kept.add(at)
  const lost: Commit[] = []
  for (let at = history; at && !kept.has(at); at = at.parent) lost.push(at)
  return lost
}
