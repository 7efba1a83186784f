import { type FormEvent, type ReactNode, useState } from 'react'
import type { BanDuration, BanReason } from '../../../../shared/moderation/protocol.ts'
import { BAN_DEFAULTS, BAN_DURATION_TEXTS, BAN_REASONS } from '../../../../shared/moderation/rules.ts'
import { MAX_DECISION_TEXT_LENGTH } from '../../../../shared/reports/limits.ts'
import { type DecisionKind, timedDecisions } from '../../../../shared/reports/rules.ts'
import { reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { DECISION_LABELS, WARNING_TEXT_MISSING_TEXT } from '../../../../shared/reports/texts.ts'
import { MAX_MUTE_REASON_LENGTH } from '../../../../shared/sanctions/limits.ts'
import { inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { RadioList } from '../../../core/ui/forms/radio-list.tsx'
import type { DecisionTerms } from '../reports-api.ts'
import { NoteField } from './note-field.tsx'

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

/** The terms of a warning, a mute or a ban. Its button is the confirmation. */
export function DecisionTermsForm({ decision, username, isBusy, decide }: DecisionTermsFormProps): ReactNode {
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
