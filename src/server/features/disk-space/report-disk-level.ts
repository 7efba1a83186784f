import { crc32 } from 'node:zlib'
import { diskLevelText } from '../../../shared/disk-space/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { DiskLevel } from '../../kernel/operations/disk-watch.ts'
import { rootAdmins } from '../../model/accounts/queries.ts'
import { addSiteNotification, removeRequestNotifications } from '../../model/notifications/transactions.ts'

export interface ReportDiskLevel {
  region: string
  isNamed: boolean
  level: DiskLevel
  percent: number
}

/** Notifies the root admins of what is refused in a region. The notification takes the place of the region's last one. */
export const reportDiskLevel = defineCommand({
  name: 'reportDiskLevel',
  keepResult: 'never',
  keepsCachedRows: true,
  run(tx: Transaction, _actor: null, { region, isNamed, level, percent }: ReportDiskLevel): { success: true } {
    const request = { type: 'diskSpace', requestId: crc32(region) + 1 } as const
    removeRequestNotifications(tx, request, null)
    const content = diskLevelText(level, percent, isNamed ? region : null)
    for (const { id } of tx.all(rootAdmins)) addSiteNotification(tx, id, { ...request, content })
    return { success: true }
  },
})
