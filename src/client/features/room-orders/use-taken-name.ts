import { useEffect, useState } from 'react'
import { roomNameError } from '../../../shared/room-orders/room-name.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'

const TYPING_PAUSE_MS = 250

/** Whether a room has this name already, asked in a pause of typing. The server decides when it is ordered. */
export function useTakenName(name: string): boolean {
  const [takenName, setTakenName] = useState<string | null>(null)
  useEffect(() => {
    if (roomNameError(name) !== null) return
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      const path = `/rooms/is-name-free/${encodeURIComponent(name)}`
      const answer = await callApi<'isRoomNameFree'>(path, { as: 'user', signal: leaving.signal })
      if (!leaving.signal.aborted) setTakenName(isFailure(answer) || answer.isFree ? null : name)
    }, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [name])
  return takenName === name
}
