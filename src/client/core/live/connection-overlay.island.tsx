import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLazy } from '../loading/use-lazy.ts'
import { useSignalValue } from '../signals/use-signal-value.ts'
import type { ConnectionState } from './live-client.ts'
import { connection, isUnanswered, reloadReason, reportMissingChunk } from './state.ts'
import './connection-overlay.css'

/** Loaded while connected, because they are needed when disconnected. */
const loadDialogs = () => import('./connection-dialog.lazy.tsx')
const initialState: ConnectionState = { status: 'connecting', attempt: 0 }

/** Shows the state of the connection to the server, unless it is connected. */
export function ConnectionOverlay(): ReactNode {
  const state = useSignalValue(connection, initialState)
  const reason = useSignalValue(reloadReason, null)
  const isSilent = useSignalValue(isUnanswered, false)
  const [wasLost, setWasLost] = useState(false)
  const [isReading, setReading] = useState(false)
  const forget = useCallback(() => setWasLost(false), [])
  const dialogs = useLazy(loadDialogs)
  // Stays: no page change removes the overlay.
  useEffect(() => document.addEventListener('meydan:outdated', reportMissingChunk), [])
  useEffect(() => {
    if (state.status === 'reconnecting' || state.status === 'unreachable') setWasLost(true)
    if (state.status === 'connected') setReading(false)
  }, [state.status])

  switch (state.status) {
    case 'connected':
      if (isSilent) return <ConnectionNotice text="Sunucudan yanıt gelmiyor..." />
      if (!dialogs) return null
      if (wasLost) return <dialogs.ReconnectedNotice onShown={forget} />
      return reason && <dialogs.ReloadPrompt reason={reason} />
    case 'connecting':
      return <ConnectionNotice text="Sunucuya bağlanılıyor..." isLate />
    case 'reconnecting':
      return (
        <ConnectionNotice text={state.message ?? 'Bağlantı koptu. Sunucuya bağlanılıyor...'} attempt={state.attempt} />
      )
    // The dialogs know all the others.
    default:
      return dialogs ? (
        <dialogs.ConnectionDialog state={state} isReading={isReading} onRead={() => setReading(true)} />
      ) : (
        <ConnectionNotice text={state.message ?? 'Bağlantı yok.'} />
      )
  }
}

/**
 * Covers the page but lets clicks through: users read on, and unsent messages go out after the reconnect.
 * The first connection is usually so fast that its overlay shows only when it is late.
 */
function ConnectionNotice({
  text,
  attempt = 0,
  isLate = false,
}: {
  text: string
  attempt?: number
  isLate?: boolean
}): ReactNode {
  return (
    <div className="connection-cover" data-late={isLate}>
      <p className="connection-pill" role="status">
        <span className="spinner" />
        {text}
        {attempt > 1 && <span>{attempt}. deneme</span>}
      </p>
    </div>
  )
}
