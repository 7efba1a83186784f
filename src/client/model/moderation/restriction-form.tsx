import { type FormEvent, type ReactNode, useState } from 'react'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import { BAN_DEFAULTS, BAN_DURATIONS, BAN_LABEL, BAN_REASONS } from '../../../shared/moderation/rules.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { requestBan } from './bans.ts'
import './moderation.css'

interface BanFormProps extends OverlayProps {
  username: string
}

/** 'Siteden Yasakla': the form with duration and reason. */
export function BanForm({ username, onClose }: BanFormProps): ReactNode {
  return (
    <BanTermsForm title={BAN_LABEL} ban={(terms) => requestBan({ username, ...terms })} onClose={onClose}>
      <bdi>{username}</bdi> siteden çıkarılır, yazdıkları silinir ve süre bitene kadar giremez.
    </BanTermsForm>
  )
}

type LayoutProps = Pick<RestrictionFormProps<never>, 'title' | 'fields' | 'onClose' | 'children'>

interface BanTermsFormProps extends LayoutProps {
  /** Returns whether the ban succeeded: then the form closes. */
  ban: (terms: { duration: BanDuration; banReason: BanReason }) => Promise<boolean>
  /** Whether the form has the reasons. */
  asksReason?: boolean
}

/** A dialog with the duration and, if asked, the reason of a ban. */
export function BanTermsForm({ ban, asksReason = true, ...layout }: BanTermsFormProps): ReactNode {
  return (
    <RestrictionForm
      {...layout}
      submitLabel="Yasakla"
      durations={BAN_DURATIONS}
      reasons={BAN_REASONS}
      firstReason={BAN_DEFAULTS.banReason}
      asksReason={asksReason}
      restrict={({ duration, reason }) => ban({ duration, banReason: reason })}
    />
  )
}

interface RestrictionFormProps<Reason extends string> {
  title: string
  submitLabel: string
  durations: readonly { value: BanDuration; label: string }[]
  reasons: readonly { value: Reason; label: string }[]
  firstReason: Reason
  /** Whether the form has the reasons. */
  asksReason?: boolean
  /** Returns whether it succeeded: then the form closes. */
  restrict: (terms: { duration: BanDuration; reason: Reason }) => Promise<boolean>
  /** Further fields, before the others. */
  fields?: ReactNode
  onClose: () => void
  /** The consequences, as text. */
  children: ReactNode
}

/** A dialog with the duration and, if asked, the reason of a ban or a mute. */
export function RestrictionForm<Reason extends string>(props: RestrictionFormProps<Reason>): ReactNode {
  const { title, submitLabel, durations, reasons, firstReason, asksReason = true, restrict, ...rest } = props
  const { fields, onClose, children } = rest
  const [duration, setDuration] = useState<BanDuration>(BAN_DEFAULTS.duration)
  const [reason, setReason] = useState<Reason>(firstReason)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    if (await restrict({ duration, reason })) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <form className="stack gap-5" noValidate onSubmit={submit}>
        <p className="subject">{children}</p>
        {fields}
        <RadioList legend="Süre" options={durations} value={duration} onChange={setDuration} />
        {asksReason && <RadioList legend="Sebep" options={reasons} value={reason} onChange={setReason} />}
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--danger" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            {submitLabel}
          </button>
        </div>
      </form>
    </Modal>
  )
}
