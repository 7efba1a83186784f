import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MAX_SEARCH_LENGTH } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { historyLoaderOf } from '../../conversation/store/history-loader.ts'
import { scrollToMessage } from '../../conversation/thread/scroll-to-message.ts'
import { browserEnvironment } from '../../live/environment.ts'
import { live } from '../../live/state.ts'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { useSignalValue } from '../../use-signal-value.ts'
import { roomConversations } from '../state.ts'
import { MessageSearch, type SearchState } from './message-search.ts'
import { SearchResults } from './search-results.tsx'
import '../../ui/field.css'
import './search-sheet.css'

/** Finds messages of the room by their words. Arrows move through the results, Enter shows one in the thread. */
export function SearchSheet({ onClose }: { onClose: () => void }): ReactNode {
  const ids = useId()
  const field = useRef<HTMLInputElement>(null)
  const search = useMemo(() => new MessageSearch(browserEnvironment, live), [])
  const state = useSignalValue<SearchState>(search.state, { is: 'empty' })
  const [text, setText] = useState('')
  const [at, setActive] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const messages = state.is === 'found' ? state.messages : []
  // A removal may have shortened the results.
  const active = Math.max(0, Math.min(at, messages.length - 1))

  // After the sheet has opened, which puts the focus on its own first button.
  useEffect(() => field.current?.focus(), [])
  useEffect(() => search.subscribe(), [search])

  const type = (typed: string): void => {
    setText(typed)
    setActive(0)
    setFailure(null)
    search.setText(typed)
  }
  const choose = async ({ id }: Message): Promise<void> => {
    const conversation = roomConversations.current
    if (!conversation) return
    const failed = await historyLoaderOf(conversation).loadAround(id)
    if (failed !== null) return setFailure(failed)
    // While the sheet is there nothing else takes the focus.
    flushSync(onClose)
    // After React has drawn the thread.
    const thread = document.querySelector(`.thread[data-conversation="${conversation.key}"]`)
    requestAnimationFrame(() => scrollToMessage(thread, id, true))
  }
  const go = (to: number): void => {
    setActive(Math.max(0, Math.min(to, messages.length - 1)))
    if (to >= messages.length - 1) void search.loadMore()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const chosen = messages[active]
    if (event.key === 'ArrowDown') go(active + 1)
    else if (event.key === 'ArrowUp') go(active - 1)
    else if (event.key === 'Enter' && chosen) void choose(chosen)
    else if (event.key === 'Enter') void search.run()
    else return
    event.preventDefault()
  }

  return (
    <Sheet title="Mesajlarda ara" titleId={`${ids}title`} side="right" onClose={onClose}>
      <search className="message-search">
        <input
          ref={field}
          className="field-input"
          type="text"
          role="combobox"
          aria-label="Mesajlarda ara"
          placeholder="Bir sözcük yaz..."
          aria-expanded={messages.length > 0}
          aria-controls={`${ids}found`}
          aria-activedescendant={messages.length > 0 ? `${ids}found-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={MAX_SEARCH_LENGTH}
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
        />
      </search>
      {failure !== null && (
        <p className="message-search-note" role="alert">
          {failure}
        </p>
      )}
      <SearchNote state={state} text={text} onAgain={() => void search.run()} />
      {state.is === 'found' && messages.length > 0 && (
        <SearchResults
          id={`${ids}found`}
          results={state}
          active={active}
          now={live.serverNow()}
          onChoose={choose}
          onMore={() => void search.loadMore()}
        />
      )}
    </Sheet>
  )
}

/** The state of the search as text: visible without results, and announced to screen readers with them. */
function SearchNote({ state, text, onAgain }: { state: SearchState; text: string; onAgain: () => void }): ReactNode {
  if (state.is === 'failed') {
    return (
      <p className="message-search-note" role="alert">
        {state.message}{' '}
        <button type="button" className="link-button" onClick={onAgain}>
          Tekrar dene
        </button>
      </p>
    )
  }
  const isFound = state.is === 'found' && state.messages.length > 0
  const look = state.is === 'found' ? 'empty' : 'message-search-note'
  return (
    <p className={isFound ? 'visually-hidden' : look} role="status">
      {state.is === 'searching' ? (
        <span className="spinner" role="img" aria-label="Aranıyor..." />
      ) : (
        noteOf(state, text)
      )}
    </p>
  )
}

function noteOf(state: Exclude<SearchState, { is: 'failed' }>, text: string): string {
  if (state.is === 'empty') return 'Bu odada yazılmış mesajları sözcükleriyle bulabilirsin.'
  if (state.is === 'tooShort') return 'Aramak için en az 2 harf yaz.'
  if (state.is !== 'found') return ''
  if (state.messages.length === 0 && state.next === null) return `“${text.trim()}” için mesaj bulunamadı.`
  return state.next === null ? `${state.messages.length} mesaj bulundu.` : `${state.messages.length} mesaj, devamı var.`
}
