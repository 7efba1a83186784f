import { useState } from 'react'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import { callOnce } from '../../core/http/call-once.ts'
import { openPath } from '../../core/navigation/open-path.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

interface PurchaseTexts {
  /** For an answer without a room. */
  refused: string
  /** Without an answer. */
  failed: string
}

/**
 * Sends an order or a renewal and opens the room after a success. A refusal is for the form to show, a failure is in a toast.
 * @param onRefused loads the options again: they, or their prices, may have changed
 */
export function usePurchase(path: string, texts: PurchaseTexts, onRefused: () => void) {
  const [refusal, setRefusal] = useState<RefusalBody | null>(null)
  /** Returns whether it succeeded. */
  const buy = async (body: object): Promise<boolean> => {
    setRefusal(null)
    const answer = await callOnce<'orderRoom' | 'renewRoom'>(path, { as: 'user', body })
    if (answer instanceof Refusal) {
      setRefusal(answer.body)
      onRefused()
      return false
    }
    // The specification has a text for an answer without a room, which a proxy may make.
    const room: Partial<Room> | undefined = typeof answer === 'string' ? undefined : answer.room
    if (room?.id === undefined) {
      void toast(typeof answer === 'string' ? texts.failed : texts.refused, 'error')
      return false
    }
    openPath(`/room/${room.id}`)
    return true
  }
  return { refusal, clearRefusal: () => setRefusal(null), buy }
}
