import { type ReactNode, useEffect, useState } from 'react'
import { showLoadingWhile } from '../../loading-indicator.ts'
import { shownRoom } from '../../rooms/shown-room.ts'
import { toastLoadFailure } from '../../shell/toasts/toast.ts'
import { icon } from '../../ui/icons.tsx'
import { useSignal } from '../../use-signal.ts'

const SearchIcon = icon(<path d="m20 20-4.4-4.4M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z" />)

/** Opens the search of the room's messages, which is loaded when it is opened first. */
export function SearchButton(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [loaded, setLoaded] = useState<typeof import('./search-sheet.tsx') | null>(null)
  const room = useSignal(shownRoom, null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: all sheets close when people move to another room
  useEffect(() => setOpen(false), [room?.id])

  const open = (): void => {
    setOpen(true)
    if (loaded) return
    showLoadingWhile(import('./search-sheet.tsx')).then(setLoaded, (error) => {
      toastLoadFailure(error)
      setOpen(false)
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
      {isOpen && loaded && <loaded.SearchSheet onClose={() => setOpen(false)} />}
    </>
  )
}
