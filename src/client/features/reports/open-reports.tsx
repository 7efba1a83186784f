import type { ReactNode } from 'react'
import type { Report } from '../../../shared/reports/report.ts'
import { reportTexts } from '../../../shared/reports/screen-texts.ts'
import { ReportCard } from './report-card.tsx'
import type { ReportSelection } from './use-report-selection.ts'

interface OpenReportsProps {
  reports: readonly Report[]
  selection: ReportSelection
}

/** The open reports, each of which a decision may leave out. */
export function OpenReports({ reports, selection }: OpenReportsProps): ReactNode {
  if (reports.length === 0) return <p className="soft">{reportTexts.noneOpen}</p>
  const isAllSelected = reports.every(({ id }) => selection.has(id))
  return (
    <section aria-label={reportTexts.openHeading}>
      <div>
        <h3 className="soft small">{reportTexts.openHeading}</h3>
        {reports.length > 1 && (
          <label className="report-check">
            <input
              type="checkbox"
              checked={isAllSelected}
              onChange={({ target }) => selection.setAll(target.checked)}
            />
            {reportTexts.selectAll}
          </label>
        )}
      </div>
      <ul className="stack gap-3">
        {reports.map((report) => (
          <ReportCard
            key={report.id}
            report={report}
            {...(reports.length > 1 && {
              isSelected: selection.has(report.id),
              toggle: () => selection.toggle(report.id),
            })}
          />
        ))}
      </ul>
    </section>
  )
}
