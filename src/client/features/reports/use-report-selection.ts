import { useState } from 'react'
import type { ReportId } from '../../../shared/protocol/ids.ts'
import type { Report } from '../../../shared/reports/report.ts'

export interface ReportSelection {
  has: (id: ReportId) => boolean
  toggle: (id: ReportId) => void
  setAll: (isSelected: boolean) => void
}

/** The open reports that a decision answers; all of them, also new ones, until the viewer takes some out. */
export function useReportSelection(open: readonly Report[]): ReportSelection {
  const [excluded, setExcluded] = useState<ReadonlySet<ReportId>>(new Set())
  return {
    has: (id) => !excluded.has(id),
    toggle: (id) =>
      setExcluded(
        excluded.has(id) ? new Set([...excluded].filter((other) => other !== id)) : new Set([...excluded, id]),
      ),
    setAll: (isSelected) => setExcluded(new Set(isSelected ? [] : open.map(({ id }) => id))),
  }
}
