import { type ReactNode, useMemo, useState } from 'react'
import { BAN_DURATION_TEXTS, formatDateTime } from '../../../../shared/moderation/rules.ts'
import type { Decision, Report } from '../../../../shared/reports/report.ts'
import { DECISION_UNDONE, decisionDoneLabels, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { REPORT_KIND_LABELS, REPORT_REASON_LABELS } from '../../../../shared/reports/texts.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { QuotedText } from '../../../core/ui/quoted-text.tsx'
import { undoDecision } from '../reports-api.ts'
import '../report-card.lazy.css'

interface DecidedReportsProps {
  reports: readonly Report[]
  onUndone: (decision: Decision) => void
}

/** The decisions about a user, the latest first, each with the reports that it answers. */
export function DecidedReports({ reports, onUndone }: DecidedReportsProps): ReactNode {
  const decisions = useMemo(() => groupByDecision(reports), [reports])
  if (decisions.length === 0) return null
  return (
    <section aria-label={reportTexts.decidedHeading}>
      <div>
        <h3 className="soft small">{reportTexts.decidedHeading}</h3>
      </div>
      <ul className="stack gap-3">
        {decisions.map(({ decision, answered }) => (
          <DecisionCard key={decision.id} decision={decision} answered={answered} onUndone={onUndone} />
        ))}
      </ul>
    </section>
  )
}

interface DecisionCardProps {
  decision: Decision
  answered: readonly Report[]
  onUndone: (decision: Decision) => void
}

function DecisionCard({ decision, answered, onUndone }: DecisionCardProps): ReactNode {
  const { by, at, text, undoneAt, undoneBy } = decision
  return (
    <li className="card stack report-card" data-undone={undoneAt !== null}>
      <div className="row top">
        <p className="stack gap-0 grow">
          <b>{decisionText(decision)}</b>
          <span className="soft small">
            <bdi>{by.username}</bdi> · {formatDateTime(at)}
          </span>
        </p>
        {undoneAt === null && <UndoButton decision={decision} isCompact onUndone={onUndone} />}
      </div>
      {text !== '' && <QuotedText text={text} />}
      <p className="faint small">
        {answered.map(({ kind, reason }) => `${REPORT_REASON_LABELS[reason]} (${REPORT_KIND_LABELS[kind]})`).join(', ')}
      </p>
      {undoneAt !== null && (
        <p className="faint small">
          Geri alındı: <bdi>{undoneBy?.username}</bdi> · {formatDateTime(undoneAt)}
        </p>
      )}
    </li>
  )
}

/** Takes a decision back. */
export function UndoButton({
  decision,
  isCompact = false,
  onUndone,
}: Pick<DecisionCardProps, 'decision' | 'onUndone'> & { isCompact?: boolean }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const undone = await undoDecision(decision.id)
    setBusy(false)
    if (!undone) return
    void toast(DECISION_UNDONE, 'success')
    onUndone(undone)
  }
  return (
    <button
      type="button"
      className={isCompact ? 'button button--compact' : 'button fixed'}
      aria-disabled={isBusy}
      onClick={() => void press()}
    >
      {reportTexts.undo}
    </button>
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
