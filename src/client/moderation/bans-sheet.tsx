import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Ban } from '../../shared/moderation/protocol.ts'
import { BANS_ENTRY, LIFT_ENTRY, momentText } from '../../shared/moderation/rules.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Sheet } from '../ui/sheet.tsx'
import { useSignal } from '../use-signal.ts'
import { banList, liftBan, loadBans } from './bans.ts'
import './moderation.css'

/** Who is banned from the site: when, why, until when and by whom, and the way to lift it. */
export function BansSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  return (
    <Sheet title={BANS_ENTRY} titleId={titleId} side="right" onClose={onClose}>
      <div className="panel-scroll bans">
        <Bans />
      </div>
    </Sheet>
  )
}

function Bans(): ReactNode {
  const list = useSignal(banList, null)
  const [failure, setFailure] = useState<string | null>(null)
  const load = async (before: number | null = null): Promise<void> => {
    setFailure(null)
    setFailure(await loadBans(before))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded anew each time that it is opened
  useEffect(() => void load(), [])

  if (failure !== null) {
    return (
      <div className="bans-said">
        <p role="alert">{failure}</p>
        <button type="button" className="link-button" onClick={() => load()}>
          Tekrar dene
        </button>
      </div>
    )
  }
  if (list === null) {
    return (
      <p className="bans-said">
        <span className="spinner" role="status" aria-label="Yükleniyor..." />
      </p>
    )
  }
  if (list.bans.length === 0) return <p className="empty">Yasaklı kullanıcı yok.</p>
  return (
    <>
      <ul>
        {list.bans.map((ban) => (
          <BanRow key={ban.id} ban={ban} />
        ))}
      </ul>
      {list.next !== null && (
        <button type="button" className="button bans-more" onClick={() => load(list.next)}>
          Daha fazla
        </button>
      )}
    </>
  )
}

function BanRow({ ban }: { ban: Ban }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // Where it is lifted, the row has gone.
    if (!(await liftBan({ id: ban.userId, username: ban.username }))) setBusy(false)
  }
  return (
    <li className="ban-row">
      <div className="ban-row-words">
        <button type="button" className="ban-row-name" data-person={ban.username} aria-haspopup="dialog">
          <bdi>{ban.username}</bdi>
        </button>
        <span className="ban-row-reason">
          {ban.banReason} · {ban.endsAt === null ? 'süresiz' : `${momentText(ban.endsAt)} tarihine kadar`}
        </span>
        <span className="ban-row-by">
          {momentText(ban.at)} · <bdi>{ban.bannedBy}</bdi>
        </span>
      </div>
      <button
        type="button"
        className="button"
        aria-label={`${LIFT_ENTRY}: ${ban.username}`}
        aria-disabled={isBusy}
        onClick={lift}
      >
        {LIFT_ENTRY}
      </button>
    </li>
  )
}
