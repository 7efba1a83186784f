import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ConnectionState } from '../live/live.ts'
import { confirmDuplicate, connection, retryNow } from '../live/state.ts'
import { leaveFreely } from '../shell/unload.ts'
import { CheckIcon, UnpluggedIcon } from '../ui/icons.tsx'
import { useSignal } from '../use-signal.ts'
import './connection-overlay.css'

const connecting: ConnectionState = { status: 'connecting', attempt: 0 }
/** How long 'Bağlantı kuruldu.' stays. */
const SUCCESS_MS = 2_000

/** What the line to the server is doing, when it is not simply there. */
export function ConnectionOverlay(): ReactNode {
  const state = useSignal(connection, connecting)
  const [wasLost, setWasLost] = useState(false)
  const forget = useCallback(() => setWasLost(false), [])
  useEffect(() => {
    if (state.status === 'reconnecting' || state.status === 'unreachable') setWasLost(true)
  }, [state.status])

  switch (state.status) {
    case 'connected':
      return wasLost && <Recovered onSaid={forget} />
    case 'connecting':
      return <Waiting text="Sunucuya bağlanılıyor..." isLate />
    case 'reconnecting':
      return <Waiting text={state.message ?? 'Bağlantı koptu. Sunucuya bağlanılıyor...'} attempt={state.attempt} />
    case 'unreachable':
      return (
        <Blocked
          title="Sunucuya ulaşılamıyor"
          text={state.message ?? 'İnternet bağlantını denetle. Yazdıkların duruyor; bağlantı gelince gönderilecek.'}
          action={{ label: 'Tekrar dene', run: retryNow }}
        />
      )
    case 'duplicate':
      return (
        <Blocked
          title="Meydan başka bir yerde açık"
          text={state.message ?? 'Devam edersen öteki oturum kapanır ve ana sayfaya dönersin.'}
          action={{ label: 'Devam Et', run: confirmDuplicate }}
        />
      )
    case 'maintenance':
      return (
        <Blocked
          title="Meydan bakımda"
          text={`${state.message ?? ''} Bu sayfa açık kalsın; bitince kaldığın yerden sürer.`}
        />
      )
    case 'ended':
      return (
        <Blocked
          title="Oturumun kapandı"
          text={state.message ?? 'Ana sayfadan yeniden girebilirsin.'}
          action={{ label: 'Ana sayfaya dön', run: () => leave(() => location.assign('/')) }}
        />
      )
    case 'outdated':
      return (
        <Blocked
          title="Meydan yenilendi"
          text={state.message ?? 'Devam etmek için sayfayı yenile.'}
          action={{ label: 'Sayfayı yenile', run: () => leave(() => location.reload()) }}
        />
      )
  }
}

/** Whoever pressed the button is not asked once more. */
function leave(go: () => void): void {
  leaveFreely()
  go()
}

/**
 * Lies over the page but lets everything through: people read on, and what they write goes out when the line is back.
 * The first connection is there so soon that its overlay shows only when it is late.
 */
function Waiting({
  text,
  attempt = 0,
  isLate = false,
}: {
  text: string
  attempt?: number
  isLate?: boolean
}): ReactNode {
  return (
    <div className="line-veil" data-late={isLate}>
      <p className="line-pill" role="status">
        <span className="spinner" />
        {text}
        {attempt > 1 && <span className="line-attempt">{attempt}. deneme</span>}
      </p>
    </div>
  )
}

/** Says that the line is back, for a moment. */
function Recovered({ onSaid }: { onSaid: () => void }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(onSaid, SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [onSaid])
  return (
    <div className="line-veil">
      <p className="line-pill line-pill--good" role="status">
        <CheckIcon size={16} />
        Bağlantı kuruldu.
      </p>
    </div>
  )
}

interface BlockedProps {
  title: string
  text: string
  /** Absent where there is nothing to do but wait. */
  action?: { label: string; run: () => void }
}

/** Nothing goes on until something is done, so it is modal and Esc does not close it. */
function Blocked({ title, text, action }: BlockedProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="line-dialog"
      role="alertdialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
      onCancel={(event) => event.preventDefault()}
    >
      <span className="line-dialog-sign">
        <UnpluggedIcon size={40} />
      </span>
      <h2 id={`${id}title`}>{title}</h2>
      <p id={`${id}text`}>{text}</p>
      {action && (
        <button type="button" className="button button--accent button--large" onClick={action.run}>
          {action.label}
        </button>
      )}
    </dialog>
  )
}
