import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { MAX_DECISION_TEXT_LENGTH, MAX_REPORTER_TEXT_LENGTH } from '../../../../shared/reports/limits.ts'
import type { Decision, Report, ReportGroup } from '../../../../shared/reports/report.ts'
import { type DecisionKind, decisionKinds, type ReportKind, timedDecisions } from '../../../../shared/reports/rules.ts'
import { decisionHints, reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { DECISION_LABELS, WARNING_TEXT_MISSING_TEXT } from '../../../../shared/reports/texts.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { type DecisionTerms, decideReports } from '../reports-api.ts'
import { NoteField } from './note-field.tsx'
import './decision-dialog.lazy.css'
import type { BanDuration, BanReason } from '../../../../shared/moderation/protocol.ts'
import { BAN_DEFAULTS, BAN_DURATION_TEXTS, BAN_REASONS } from '../../../../shared/moderation/rules.ts'
import { MAX_MUTE_REASON_LENGTH } from '../../../../shared/sanctions/limits.ts'
import { inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { RadioList } from '../../../core/ui/forms/radio-list.tsx'

interface DecisionTermsFormProps {
  decision: DecisionKind
  username: string
  isBusy: boolean
  decide: (terms: DecisionTerms) => Promise<void>
}

const durations: readonly { value: BanDuration; label: string }[] = [
  { value: '10min', label: '10 Dakika' },
  { value: '1hr', label: '1 Saat' },
  { value: 'indefinite', label: 'Süresiz' },
]

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
    // It needs no terms, and takes nothing away.
    if (decision === 'nothing') void decide({ decision })
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
          <button type="button" data-decision={decision} aria-disabled={isBusy} onClick={() => press(decision)}>
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
    <details>
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

/** The terms of a warning, a mute or a ban. Its button is the confirmation. */
function DecisionTermsForm({ decision, username, isBusy, decide }: DecisionTermsFormProps): ReactNode {
  const [duration, setDuration] = useState<BanDuration>(BAN_DEFAULTS.duration)
  const [banReason, setBanReason] = useState<BanReason>(BAN_DEFAULTS.banReason)
  const [text, setText] = useState('')
  const isTimed = timedDecisions.includes(decision)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void decide({
      decision,
      ...(isTimed && { duration }),
      ...(decision === 'ban' && { banReason }),
      ...(text.trim() !== '' && { text: text.trim() }),
    })
  }
  return (
    <form className="stack gap-5" {...inlineErrors} onSubmit={submit}>
      {isTimed && (
        <RadioList legend={reportTexts.duration} options={durations} value={duration} onChange={setDuration} />
      )}
      {decision === 'ban' && (
        <RadioList legend={reportTexts.banReason} options={BAN_REASONS} value={banReason} onChange={setBanReason} />
      )}
      {(decision === 'warn' || decision === 'mute') && (
        <NoteField
          label={decision === 'warn' ? reportTexts.warningText : reportTexts.muteReason}
          text={text}
          maxLength={decision === 'mute' ? MAX_MUTE_REASON_LENGTH : MAX_DECISION_TEXT_LENGTH}
          missing={decision === 'warn' ? WARNING_TEXT_MISSING_TEXT : undefined}
          onType={setText}
        />
      )}
      <p className="subject">
        <bdi>{username}</bdi> {consequenceOf(decision, duration)}
      </p>
      <button type="submit" className="button button--danger button--large" aria-disabled={isBusy}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {DECISION_LABELS[decision]}
      </button>
    </form>
  )
}

function consequenceOf(decision: DecisionKind, duration: BanDuration): string {
  const howLong = BAN_DURATION_TEXTS[duration]
  switch (decision) {
    case 'remove':
      return 'adlı kullanıcının bildirilen içeriği herkesten kaldırılır.'
    case 'warn':
      return 'bu metni bir pencerede görür ve onaylaması gerekir.'
    case 'mute':
      return `${howLong} sitenin hiçbir yerine yazamaz.`
    case 'ban':
      return `${howLong} siteden yasaklanır; oturumları kapanır, yazdıkları silinir.`
    case 'ghostBan':
      return `${howLong} kimseye görünmez. Bunu fark etmez.`
    default:
      return ''
  }
}
