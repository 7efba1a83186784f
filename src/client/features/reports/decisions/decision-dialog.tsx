import { type ReactNode, useEffect, useState } from 'react'
import { MAX_REPORTER_TEXT_LENGTH } from '../../../../shared/reports/limits.ts'
import type { Decision, Report, ReportGroup } from '../../../../shared/reports/report.ts'
import { type DecisionKind, decisionKinds, type ReportKind } from '../../../../shared/reports/rules.ts'
import { decisionHints, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { DECISION_LABELS } from '../../../../shared/reports/texts.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { type DecisionTerms, decideReports } from '../reports-api.ts'
import { DecisionTermsForm } from './decision-terms-form.tsx'
import { NoteField } from './note-field.tsx'
import './decision-dialog.later.css'

interface DecisionDialogProps {
  group: ReportGroup
  /** The reports that the decision answers. */
  reports: readonly Report[]
  /** Whether another root admin has decided all of them meanwhile. */
  isOutdated: boolean
  onDecided: (decision: Decision) => void
  onFailed: () => void
  onClose: () => void
}

/** Decisions that take effect at the press: they can be undone and need no further terms. */
const immediateDecisions: readonly DecisionKind[] = ['nothing', 'remove']
/** What can be taken away from everyone. */
const removableKinds: readonly ReportKind[] = ['roomMessage', 'directMessage', 'post']

/** 'Karar ver': the decisions, and the terms of the chosen one. */
export function DecisionDialog(props: DecisionDialogProps): ReactNode {
  const { group, reports, isOutdated, onDecided, onFailed, onClose } = props
  const [chosen, choose] = useState<DecisionKind | null>(null)
  const [reporterText, setReporterText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  // That another root admin was first may be known only after the refusal.
  useEffect(() => {
    if (hasFailed && isOutdated) onClose()
  }, [hasFailed, isOutdated, onClose])
  const decide = async (terms: DecisionTerms): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const ids = reports.map(({ id }) => id)
    const decision = await decideReports(ids, { ...terms, ...(reporterText.trim() !== '' && { reporterText }) })
    setBusy(false)
    setFailed(!decision)
    if (!decision) return onFailed()
    onDecided(decision)
    onClose()
  }
  const press = (decision: DecisionKind): void => {
    if (immediateDecisions.includes(decision)) void decide({ decision })
    else choose(decision)
  }
  return (
    <Modal
      title={chosen ? DECISION_LABELS[chosen] : reportTexts.decide}
      dismissIcon={chosen ? 'back' : 'close'}
      onClose={chosen ? () => choose(null) : onClose}
      onPressOutside={onClose}
    >
      <div className="decision">
        <p className="subject">
          <bdi>{group.user.username}</bdi> · {reports.length} şikâyet
        </p>
        {chosen ? (
          <DecisionTermsForm
            key={chosen}
            decision={chosen}
            username={group.user.username}
            isBusy={isBusy}
            decide={decide}
          />
        ) : (
          <>
            <DecisionList available={availableDecisions(group, reports)} isBusy={isBusy} press={press} />
            <ReporterText text={reporterText} onType={setReporterText} />
          </>
        )}
      </div>
    </Modal>
  )
}

interface DecisionListProps {
  available: readonly DecisionKind[]
  isBusy: boolean
  press: (decision: DecisionKind) => void
}

function DecisionList({ available, isBusy, press }: DecisionListProps): ReactNode {
  return (
    <ul className="stack">
      {available.map((decision) => (
        <li key={decision}>
          <button
            type="button"
            className="decision-choice"
            data-decision={decision}
            aria-disabled={isBusy}
            onClick={() => press(decision)}
          >
            <b>{DECISION_LABELS[decision]}</b>
            <span className="soft small">{decisionHints[decision]}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function ReporterText({ text, onType }: { text: string; onType: (text: string) => void }): ReactNode {
  return (
    <details className="decision-reporters">
      <summary>{reportTexts.forReporters}</summary>
      <NoteField
        label={reportTexts.forReportersHint}
        text={text}
        maxLength={MAX_REPORTER_TEXT_LENGTH}
        onType={onType}
      />
    </details>
  )
}

/** What can be decided: little against root admins and erased accounts, ghost bans of guests alone. */
function availableDecisions({ user, isGone }: ReportGroup, reports: readonly Report[]): DecisionKind[] {
  const canRemove = reports.some(({ kind }) => removableKinds.includes(kind))
  return decisionKinds.filter((decision) => {
    if (decision === 'nothing') return true
    if (user.role === 'rootadmin') return false
    if (decision === 'remove') return canRemove
    return !isGone && (decision !== 'ghostBan' || user.isGuest)
  })
}
