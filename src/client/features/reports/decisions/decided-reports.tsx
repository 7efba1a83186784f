import { type ReactNode, useMemo } from 'react'
import { BAN_DURATION_TEXTS, formatDateTime } from '../../../../shared/moderation/rules.ts'
import type { Decision, Report } from '../../../../shared/reports/report.ts'
import { decisionDoneLabels, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { REPORT_KIND_LABELS, REPORT_REASON_LABELS } from '../../../../shared/reports/texts.ts'
import { QuotedText } from '../../../core/ui/quoted-text.tsx'
import '../report-card.lazy.css'

/** The decisions about a user, the latest first, each with the reports that it answers. */
export function DecidedReports({ reports }: { reports: readonly Report[] }): ReactNode {
  const decisions = useMemo(() => groupByDecision(reports), [reports])
  if (decisions.length === 0) return null
  return (
    <section aria-label={reportTexts.decidedHeading}>
      <div>
        <h3 className="soft small">{reportTexts.decidedHeading}</h3>
      </div>
      <ul className="stack gap-3">
        {decisions.map(({ decision, answered }) => (
          <DecisionCard key={decision.id} decision={decision} answered={answered} />
        ))}
      </ul>
    </section>
  )
}

interface DecisionCardProps {
  decision: Decision
  answered: readonly Report[]
}

function DecisionCard({ decision, answered }: DecisionCardProps): ReactNode {
  const { by, at, text } = decision
  return (
    <li className="card stack report-card">
      <p className="stack gap-0">
        <b>{decisionText(decision)}</b>
        <span className="soft small">
          <bdi>{by.username}</bdi> · {formatDateTime(at)}
        </span>
      </p>
      {text !== '' && <QuotedText text={text} />}
      <p className="faint small">
        {answered.map(({ kind, reason }) => `${REPORT_REASON_LABELS[reason]} (${REPORT_KIND_LABELS[kind]})`).join(', ')}
      </p>
    </li>
  )
}

/** 'Susturuldu, 1 saat'. */
export function decisionText({ decision, duration }: Pick<Decision, 'decision' | 'duration'>): string {
  const done = decisionDoneLabels[decision]
  return duration === null ? done : `${done}, ${BAN_DURATION_TEXTS[duration]}`
}

function groupByDecision(reports: readonly Report[]): { decision: Decision; answered: readonly Report[] }[] {
  const byId = new Map<number, { decision: Decision; answered: Report[] }>()
  for (const report of reports) {
    const { decision } = report
    if (!decision) continue
    const known = byId.get(decision.id)
    if (known) known.answered.push(report)
    else byId.set(decision.id, { decision, answered: [report] })
  }
  return [...byId.values()].sort((a, b) => b.decision.at - a.decision.at)
}
