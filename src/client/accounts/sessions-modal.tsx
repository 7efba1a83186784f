import { type ReactNode, useEffect, useState } from 'react'
import type { OwnSession } from '../../shared/accounts/sessions-protocol.ts'
import { live } from '../live/state.ts'
import { lastSeenText } from '../presence/last-seen.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Modal } from '../ui/dialogs/modal.tsx'
import { clockTime, dayName } from '../ui/format/turkish-time.ts'
import { ComputerIcon, LeaveIcon, PhoneIcon } from '../ui/lazy-icons.tsx'
import { ListFailure, ListLoading } from '../ui/lists/paged-list.tsx'
import { endOtherSessions, endSession, loadOwnSessions, NO_OTHER_SESSIONS } from './own-sessions.ts'
import '../ui/dialogs/confirm-dialog.css'
import './sessions-modal.css'

/** 'Oturumlarım': where one is signed in, and the end of what is not wanted there. */
export function SessionsModal({ onClose }: OverlayProps): ReactNode {
  const [sessions, setSessions] = useState<OwnSession[] | 'loading' | 'failed'>('loading')
  const load = async (): Promise<void> => {
    setSessions('loading')
    setSessions((await loadOwnSessions()) ?? 'failed')
  }
  const keep = (isKept: (session: OwnSession) => boolean): void =>
    setSessions((now) => (typeof now === 'object' ? now.filter(isKept) : now))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded anew each time that it is opened
  useEffect(() => void load(), [])
  return (
    <Modal title="Oturumlarım" onClose={onClose}>
      {sessions === 'loading' && <ListLoading />}
      {sessions === 'failed' && <ListFailure why="Oturumlar yüklenemedi." reload={load} />}
      {typeof sessions === 'object' && <SessionList sessions={sessions} keepOnly={keep} />}
    </Modal>
  )
}

interface SessionListProps {
  sessions: OwnSession[]
  /** The others have ended. */
  keepOnly: (isKept: (session: OwnSession) => boolean) => void
}

function SessionList({ sessions, keepOnly }: SessionListProps): ReactNode {
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      {others.length > 0 && (
        <p className="sessions-about">Tanımadığın bir oturum görürsen kapat ve şifreni değiştir.</p>
      )}
      <ul className="sessions">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} ended={() => keepOnly(({ id }) => id !== session.id)} />
        ))}
      </ul>
      {others.length === 0 ? (
        <p className="sessions-note">{NO_OTHER_SESSIONS}</p>
      ) : (
        <EndOtherSessions count={others.length} ended={() => keepOnly(({ isCurrent }) => isCurrent)} />
      )}
    </>
  )
}

function SessionRow({ session, ended }: { session: OwnSession; ended: () => void }): ReactNode {
  const { device, platform, region, isCurrent, createdAt } = session
  const now = live.serverNow()
  return (
    <li className="session">
      <span className="session-device">{platform === 'mobile' ? <PhoneIcon /> : <ComputerIcon />}</span>
      <div className="session-text">
        <span className="session-name">
          {device}
          {isCurrent && <span className="session-own">Bu oturum</span>}
        </span>
        <LastSeen session={session} now={now} />
        <span className="session-opened">
          {dayName(createdAt, now)} {clockTime(createdAt)} açıldı
          {region !== null && ` · ${region} bölgesi`}
        </span>
      </div>
      {!isCurrent && <EndSessionButton session={session} onEnded={ended} />}
    </li>
  )
}

function EndSessionButton({ session, onEnded }: { session: OwnSession; onEnded: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const end = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // An ended session has no row any more.
    if (await endSession(session.id)) onEnded()
    else setBusy(false)
  }
  return (
    <button
      type="button"
      className="button session-end"
      aria-label={`Oturumu kapat: ${session.device}`}
      title="Oturumu kapat"
      aria-disabled={isBusy}
      onClick={end}
    >
      {isBusy ? <span className="spinner" /> : <LeaveIcon />}
      <span className="session-end-word">Oturumu kapat</span>
    </button>
  )
}

function LastSeen({ session, now }: { session: OwnSession; now: number }): ReactNode {
  const { isCurrent, isConnected, lastSeenAt } = session
  if (isCurrent || isConnected) return <span className="session-here">Şu anda bağlı</span>
  return <span className="session-seen">{lastSeenText(lastSeenAt, now)}</span>
}

/** What was pressed has become a question. */
const focusButton = (button: HTMLElement | null): void => button?.focus()

function EndOtherSessions({ count, ended }: { count: number; ended: () => void }): ReactNode {
  const [step, setStep] = useState<'idle' | 'confirming' | 'busy'>('idle')
  const end = async (): Promise<void> => {
    if (step === 'busy') return
    setStep('busy')
    if (await endOtherSessions()) ended()
    else setStep('confirming')
  }
  if (step === 'idle') {
    return (
      <button type="button" className="button sessions-all" onClick={() => setStep('confirming')}>
        Diğer tüm oturumları kapat
      </button>
    )
  }
  return (
    <div className="sessions-question">
      <p id="sessions-question">Diğer {count} oturum hemen kapatılsın mı?</p>
      <div className="sessions-answers">
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
