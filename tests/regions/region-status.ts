import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'

/** As `GET /api/region` answers. */
export interface RegionStatus {
  region: string
  role: 'primary' | 'replica'
  /** Its name, where one is known. */
  primary: string | null
  position: { txid: string; seq: number }
  lagMs: number | null
}

/** What the region says of itself; null while it does not answer. */
export async function fetchStatus({ plan }: RegionProcess): Promise<RegionStatus | null> {
  const answer = await fetch(`${originOf(plan)}/api/region`).catch(() => null)
  return answer?.ok ? ((await answer.json()) as RegionStatus) : null
}

/** The status and the text of `/readyz`; null while the region does not answer. */
export async function fetchReadiness({ plan }: RegionProcess): Promise<{ status: number; why: string } | null> {
  const answer = await fetch(`${originOf(plan)}/readyz`).catch(() => null)
  return answer ? { status: answer.status, why: await answer.text() } : null
}

/** The transactions that the region's LiteFS keeps for others to catch up from, the oldest first, also while it is stopped. */
export function listLtxFiles({ plan }: RegionProcess): string[] {
  const folder = join(plan.folder, 'litefs/dbs/meydan.db/ltx')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
