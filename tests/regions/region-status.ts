import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'

/** The answer of `GET /api/region`. */
export interface RegionStatus {
  region: string
  role: 'primary' | 'replica'
  /** The name of the primary; null while none is known. */
  primary: string | null
  position: { txid: string; seq: number }
  lagMs: number | null
}

/** The region's status; null while it does not answer. */
export async function fetchStatus({ plan }: RegionProcess): Promise<RegionStatus | null> {
  const answer = await fetch(`${originOf(plan)}/api/region`).catch(() => null)
  return answer?.ok ? ((await answer.json()) as RegionStatus) : null
}

/** The status and the text of `/readyz`; null while the region does not answer. */
export async function fetchReadiness({ plan }: RegionProcess): Promise<{ status: number; reason: string } | null> {
  const answer = await fetch(`${originOf(plan)}/readyz`).catch(() => null)
  return answer ? { status: answer.status, reason: await answer.text() } : null
}

/** The transaction files that the region's LiteFS keeps for replicas, oldest first. LiteFS need not run. */
export function listLtxFiles({ plan }: RegionProcess): string[] {
  const folder = join(plan.folder, 'litefs/dbs/meydan.db/ltx')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
