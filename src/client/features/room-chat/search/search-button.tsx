import type { ReactNode } from 'react'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { live } from '../../../core/live/state.ts'
import { shownRoom } from '../../../core/session/shown-room.ts'
import { useComputed, useSignal, useSignalEffect } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { icon } from '../../../core/ui/composer-icons.tsx'
import { LazySearchSheet } from '../../../model/conversation/search/lazy-search-sheet.tsx'
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
  const roomId = useComputed(() => shownRoom.value?.id)
  // All sheets close when people move to another room.
  useSignalEffect(() => {
    void roomId.value
    isOpen.value = false
  })
  const close = (): void => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Mesajlarda ara"
        title="Mesajlarda ara"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true
        }}
      >
        <SearchIcon />
      </button>
      {useSignalValue(isOpen, false) && (
        <LazySearchSheet
          source={source}
          hint="Bu odada yazılmış mesajları sözcükleriyle bulabilirsin."
          show={showInRoom}
          onClose={close}
        />
      )}
    </>
  )
}
