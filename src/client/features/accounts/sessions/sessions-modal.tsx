import { type ReactNode, useEffect, useState } from 'react'
import type { OwnSession } from '../../../../shared/accounts/sessions-protocol.ts'
import { live } from '../../../core/live/state.ts'
import { lastSeenText } from '../../../core/presence/last-seen.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { clockTime, dayName } from '../../../core/ui/format/turkish-time.ts'
import { ComputerIcon, LeaveIcon, PhoneIcon } from '../../../core/ui/lazy-icons.tsx'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import './sessions-modal.css'
import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'

/** Also shown below the list of sessions. */
const NO_OTHER_SESSIONS = 'Başka oturum yok.'

const END_FAILED = 'Oturum kapatılamadı.'

/** 'Oturumlarım': the user's sessions, each with a button that ends it. */
export function SessionsModal({ onClose }: OverlayProps): ReactNode {
  const [sessions, setSessions] = useState<OwnSession[] | 'loading' | 'failed'>('loading')
  const load = async (): Promise<void> => {
    setSessions('loading')
    setSessions((await loadOwnSessions()) ?? 'failed')
  }
  const keepOnly = (isKept: (session: OwnSession) => boolean): void =>
    setSessions((now) => (typeof now === 'object' ? now.filter(isKept) : now))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is loaded each time it is opened
  useEffect(() => void load(), [])
  return (
    <Modal title="Oturumlarım" onClose={onClose}>
      {sessions === 'loading' && <ListLoading />}
      {sessions === 'failed' && <ListFailure reason="Oturumlar yüklenemedi." reload={load} />}
      {typeof sessions === 'object' && <SessionList sessions={sessions} keepOnly={keepOnly} />}
    </Modal>
  )
}

interface SessionListProps {
  sessions: OwnSession[]
  /** Removes the sessions that have onEnded from the list. */
  keepOnly: (isKept: (session: OwnSession) => boolean) => void
}

function SessionList({ sessions, keepOnly }: SessionListProps): ReactNode {
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      {others.length > 0 && (
        <p className="soft small pb-3">Tanımadığın bir oturum görürsen kapat ve şifreni değiştir.</p>
      )}
      <ul className="sessions">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={() => keepOnly(({ id }) => id !== session.id)} />
        ))}
      </ul>
      {others.length === 0 ? (
        <p>{NO_OTHER_SESSIONS}</p>
      ) : (
        <EndOtherSessions count={others.length} onEnded={() => keepOnly(({ isCurrent }) => isCurrent)} />
      )}
    </>
  )
}

function SessionRow({ session, onEnded }: { session: OwnSession; onEnded: () => void }): ReactNode {
  const { device, platform, region, isCurrent, createdAt } = session
  const now = live.serverNow()
  return (
    <li>
      <span>{platform === 'mobile' ? <PhoneIcon /> : <ComputerIcon />}</span>
      <div className="stack gap-half grow break">
        <span className="row wrap semibold">
          {device}
          {isCurrent && <span className="tag tiny">Bu oturum</span>}
        </span>
        <LastSeen session={session} now={now} />
        <span className="faint small">
          {dayName(createdAt, now)} {clockTime(createdAt)} açıldı
          {region !== null && ` · ${region} bölgesi`}
        </span>
      </div>
      {!isCurrent && <EndSessionButton session={session} onEnded={onEnded} />}
    </li>
  )
}

function EndSessionButton({ session, onEnded }: { session: OwnSession; onEnded: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const end = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // An ended session's row is unmounted.
    if (await endSession(session.id)) onEnded()
    else setBusy(false)
  }
  return (
    <button
      type="button"
      className="button"
      aria-label={`Oturumu kapat: ${session.device}`}
      title="Oturumu kapat"
      aria-disabled={isBusy}
      onClick={end}
    >
      {isBusy ? <span className="spinner" /> : <LeaveIcon />}
      <span>Oturumu kapat</span>
    </button>
  )
}

function LastSeen({ session, now }: { session: OwnSession; now: number }): ReactNode {
  const { isCurrent, isConnected, lastSeenAt } = session
  if (isCurrent || isConnected) return <span className="good small">Şu anda bağlı</span>
  return <span className="soft small">{lastSeenText(lastSeenAt, now)}</span>
}

/** The clicked button is replaced by a confirmation, which gets the focus. */
const focusButton = (button: HTMLElement | null): void => button?.focus()

function EndOtherSessions({ count, onEnded }: { count: number; onEnded: () => void }): ReactNode {
  const [step, setStep] = useState<'idle' | 'confirming' | 'busy'>('idle')
  const end = async (): Promise<void> => {
    if (step === 'busy') return
    setStep('busy')
    if (await endOtherSessions()) onEnded()
    else setStep('confirming')
  }
  if (step === 'idle') {
    return (
      <button type="button" className="button wide mt-4" onClick={() => setStep('confirming')}>
        Diğer tüm oturumları kapat
      </button>
    )
  }
  return (
    <div className="stack gap-3 mt-4">
      <p id="sessions-question">Diğer {count} oturum hemen kapatılsın mı?</p>
      <div className="buttons">
        <button
          type="button"
          className="button"
          ref={focusButton}
          aria-describedby="sessions-question"
          onClick={() => setStep('idle')}
        >
          Vazgeç
        </button>
        <button type="button" className="button button--danger" aria-disabled={step === 'busy'} onClick={end}>
          {step === 'busy' && <span className="spinner" />}
          Hepsini kapat
        </button>
      </div>
    </div>
  )
}

/** The user's own sessions; null when the request failed. */
async function loadOwnSessions(): Promise<OwnSession[] | null> {
  const answer = await callApi<'sessions'>('/users/sessions', { as: 'user' })
  return isFailure(answer) ? null : answer.sessions
}

/** Ends a session and shows the result in a toast. Returns whether it has ended, also if it had before. */
async function endSession(sessionId: SessionId): Promise<boolean> {
  const answer = await callApi<'endSession'>('/users/sessions/end', { as: 'user', body: { sessionId } })
  const isGone = answer instanceof Refusal && answer.body.code === 'NotFound'
  if (!isGone && toastIfFailed(answer, END_FAILED)) return false
  void toast('Oturum kapatıldı.', 'success')
  return true
}

/** Ends all other sessions and shows the result in a toast. Returns whether it succeeded. */
async function endOtherSessions(): Promise<boolean> {
  const answer = await callApi<'endOtherSessions'>('/users/sessions/end-others', { as: 'user', body: {} })
  if (toastIfFailed(answer, END_FAILED)) return false
  void toast(answer.ended === 0 ? NO_OTHER_SESSIONS : `${answer.ended} oturum kapatıldı.`, 'success')
  return true
}
