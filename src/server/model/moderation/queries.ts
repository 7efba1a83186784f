import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

const siteState = query()((db) => db.selectFrom('siteState').select('maintenanceSince'))

/** When maintenance began, in epoch milliseconds; null when it is off. */
export function getMaintenanceSince(reader: Pick<Reader, 'get'>): number | null {
  return reader.get(siteState)?.maintenanceSince ?? null
}
