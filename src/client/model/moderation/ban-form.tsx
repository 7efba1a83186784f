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

interface BanTermsFormProps {
  title: string
  /** Returns whether the ban succeeded: then the form closes. */
  ban: (terms: { duration: BanDuration; banReason: BanReason }) => Promise<boolean>
  /** Whether the form has the reasons. */
  asksReason?: boolean
  /** Further fields, before the others. */
  fields?: ReactNode
  onClose: () => void
  /** The consequences, as text. */
  children: ReactNode
}

/** A dialog with the duration and, if asked, the reason of a ban. */
export function BanTermsForm(props: BanTermsFormProps): ReactNode {
  const { title, ban, asksReason = true, fields, onClose, children } = props
  const [duration, setDuration] = useState<BanDuration>(BAN_DEFAULTS.duration)
  const [banReason, setReason] = useState<BanReason>(BAN_DEFAULTS.banReason)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    if (await ban({ duration, banReason })) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <form className="stack gap-5" noValidate onSubmit={submit}>
        <p className="subject">{children}</p>
        {fields}
        <RadioList legend="Süre" options={BAN_DURATIONS} value={duration} onChange={setDuration} />
        {asksReason && <RadioList legend="Sebep" options={BAN_REASONS} value={banReason} onChange={setReason} />}
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--danger" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" />}
            Yasakla
          </button>
        </div>
      </form>
    </Modal>
  )
}
