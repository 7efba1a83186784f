import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { unreachable } from '../../shared/protocol/unreachable.ts'
import { useSignalValue } from '../use-signal-value.ts'
import type { ConnectionState } from './live-client.ts'
import { connection, reloadReason, reportMissingChunk } from './state.ts'
import '../announcements/popup-listener.ts'
import './connection-overlay.css'

const initialState: ConnectionState = { status: 'connecting', attempt: 0 }

/** Shows the state of the connection to the server, unless it is connected. */
export function ConnectionOverlay(): ReactNode {
  const state = useSignalValue(connection, initialState)
  const reason = useSignalValue(reloadReason, null)
  const [wasLost, setWasLost] = useState(false)
  const forget = useCallback(() => setWasLost(false), [])
  const block = useConnectionDialog(state)
  useEffect(() => {
    document.addEventListener('meydan:outdated', reportMissingChunk)
    return () => document.removeEventListener('meydan:outdated', reportMissingChunk)
  }, [])
  useEffect(() => {
    if (state.status === 'reconnecting' || state.status === 'unreachable') setWasLost(true)
  }, [state.status])

  switch (state.status) {
    case 'connected':
      if (!block) return null
      if (wasLost) return <block.ReconnectedNotice onShown={forget} />
      return reason && <block.ReloadPrompt reason={reason} />
    case 'connecting':
      return <ConnectionNotice text="Sunucuya bağlanılıyor..." isLate />
    case 'reconnecting':
      return (
        <ConnectionNotice text={state.message ?? 'Bağlantı koptu. Sunucuya bağlanılıyor...'} attempt={state.attempt} />
      )
    case 'unreachable':
    case 'duplicate':
    case 'maintenance':
    case 'ended':
    case 'outdated':
      return block ? (
        <block.ConnectionDialog state={state} />
      ) : (
        <ConnectionNotice text={state.message ?? 'Bağlantı yok.'} />
      )
    default:
      return unreachable(state.status)
  }
}

/**
 * Loads the dialogs while connected, because they are needed when disconnected. After a failure the next change of the
 * connection retries.
 */
function useConnectionDialog(state: ConnectionState) {
  const [block, setBlock] = useState<typeof import('./connection-dialog.tsx') | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the connection retries
  useEffect(() => {
    if (!block) import('./connection-dialog.tsx').then(setBlock, console.error)
  }, [block, state])
  return block
}

/**
 * Covers the page but lets presses through: users read on, and unsent messages go out after the reconnect.
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
    <div className="line-veil" data-late={isLate}>
      <p className="line-pill" role="status">
        <span className="spinner" />
        {text}
        {attempt > 1 && <span className="line-attempt">{attempt}. deneme</span>}
      </p>
    </div>
  )
}
