import { type FormEvent, type ReactNode, useState } from 'react'
import type { BanDuration, BanReason } from '../../shared/moderation/protocol.ts'
import { BAN_DEFAULTS, BAN_DURATIONS, BAN_REASONS } from '../../shared/moderation/rules.ts'
import { coverOptions, linkedTexts } from '../../shared/text-filters/screen-texts.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Modal } from '../ui/dialogs/modal.tsx'
import { RadioList } from '../ui/radio-list.tsx'
import { banMarks } from './linked-accounts.ts'
import './text-filters.later.css'

interface MarkBanFormProps extends OverlayProps {
  username: string
}

/** Bans an account with its browsers, its addresses or both. */
export function MarkBanForm({ username, onClose }: MarkBanFormProps): ReactNode {
  const [covered, setCovered] = useState<(typeof coverOptions)[number]['value']>('browser')
  const [duration, setDuration] = useState<BanDuration>(BAN_DEFAULTS.duration)
  const [banReason, setReason] = useState<BanReason>(BAN_DEFAULTS.banReason)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const covers = covered === 'both' ? (['browser', 'address'] as const) : ([covered] as const)
    if (await banMarks({ username, covers: [...covers], duration, banReason })) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={linkedTexts.ban} onClose={onClose}>
      <form className="filter-dialog" onSubmit={submit}>
        <p className="filter-note">
          <b>
            <bdi>{username}</bdi>
          </b>
          {': '}
          {linkedTexts.banHint}
        </p>
        <RadioList legend={linkedTexts.covers} options={coverOptions} value={covered} onChange={setCovered} />
        <RadioList legend="Süre" options={BAN_DURATIONS} value={duration} onChange={setDuration} />
        <RadioList legend="Sebep" options={BAN_REASONS} value={banReason} onChange={setReason} />
        <div className="filter-actions">
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
