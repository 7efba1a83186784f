import { type ReactNode, useState } from 'react'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { live } from '../../../core/live/state.ts'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { shownRoom } from '../../../core/session/shown-room.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { useComputed, useSignal, useSignalEffect } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { icon } from '../../../core/ui/composer-icons.tsx'
import { roomSearchSource } from './room-search.ts'

const SearchIcon = icon(<path d="m20 20-4.4-4.4M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z" />)

const source = roomSearchSource(live)

async function showInRoom(id: MessageId, beforeScroll: () => void): Promise<string | null> {
  const { showRoomMessage } = await import('../../../model/room-chat/show-message.ts')
  return showRoomMessage(id, beforeScroll)
}

/** Opens the search of the room's messages, which is loaded when it is opened first. */
export function SearchButton(): ReactNode {
  const isOpen = useSignal(false)
  const [loaded, setLoaded] = useState<typeof import('../../../model/conversation/search/search-sheet.tsx') | null>(
    null,
  )
  const roomId = useComputed(() => shownRoom.value?.id)
  // All sheets close when people move to another room.
  useSignalEffect(() => {
    void roomId.value
    isOpen.value = false
  })
  const close = (): void => {
    isOpen.value = false
  }
  const open = (): void => {
    isOpen.value = true
    if (loaded) return
    showLoadingWhile(import('../../../model/conversation/search/search-sheet.tsx')).then(setLoaded, (error) => {
      toastLoadFailure(error)
      close()
    })
  }
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Mesajlarda ara"
        title="Mesajlarda ara"
        aria-haspopup="dialog"
        onClick={open}
      >
        <SearchIcon />
      </button>
      {useSignalValue(isOpen, false) && loaded && (
        <loaded.SearchSheet
          source={source}
          hint="Bu odada yazılmış mesajları sözcükleriyle bulabilirsin."
          show={showInRoom}
          onClose={close}
        />
      )}
    </>
  )
}
