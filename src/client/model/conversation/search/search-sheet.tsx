import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { MAX_SEARCH_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { QUERY_TOO_SHORT_TEXT } from '../../../../shared/text/search-words.ts'
import { live } from '../../../core/live/state.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Sheet } from '../../../core/ui/dialogs/sheet.tsx'
import type { ConversationMessage } from '../store/message-types.ts'
import { MessageSearch, type SearchSource, type SearchState } from './message-search.ts'
import { SearchResults } from './search-results.tsx'
import '../../../core/ui/forms/field.css'
import './search-sheet.css'

export interface SearchSheetProps {
  source: SearchSource
  /** What is said before anything is typed. */
  hint: string
  /** Shows a message in its thread. Returns the text of a failure, or null. @param beforeScroll runs once it is loaded */
  show: (id: MessageId, beforeScroll: () => void) => Promise<string | null>
  onClose: () => void
}

/** Finds messages of a conversation by their words. Arrows move through the results, Enter shows one in the thread. */
export function SearchSheet({ source, hint, show, onClose }: SearchSheetProps): ReactNode {
  const ids = useId()
  const listId = `${ids}found`
  const { search, state, text, type } = useMessageSearch(source)
  const messages = state.is === 'found' ? state.messages : []
  const { active, setActive, go } = useActiveResult(messages.length, () => void search.loadMore())
  const [failure, setFailure] = useState<string | null>(null)

  const retype = (typed: string): void => {
    type(typed)
    setActive(0)
    setFailure(null)
  }
  const choose = async ({ id }: ConversationMessage): Promise<void> => {
    // While the sheet is open nothing else takes the focus.
    setFailure(await show(id, () => flushSync(onClose)))
  }
  const pressEnter = (): void => {
    const chosen = messages[active]
    if (chosen) void choose(chosen)
    else void search.run()
  }

  return (
    <Sheet title="Mesajlarda ara" titleId={`${ids}title`} side="opener" onClose={onClose}>
      <SearchField
        text={text}
        listId={listId}
        activeId={messages.length > 0 ? `${listId}-${active}` : undefined}
        onType={retype}
        onMove={(step) => go(active + step)}
        onEnter={pressEnter}
      />
      {failure !== null && (
        <p className="soft break center" role="alert">
          {failure}
        </p>
      )}
      <SearchNote state={state} text={text} hint={hint} onAgain={() => void search.run()} />
      {state.is === 'found' && messages.length > 0 && (
        <SearchResults
          id={listId}
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

/** The search and its text. */
function useMessageSearch(source: SearchSource) {
  const search = useMemo(() => new MessageSearch(browserEnvironment, live, source), [source])
  const state = useSignalValue<SearchState>(search.state, { is: 'empty' })
  const [text, setText] = useState('')
  useEffect(() => search.subscribe(), [search])
  const type = (typed: string): void => {
    setText(typed)
    search.setText(typed)
  }
  return { search, state, text, type }
}

/** Which of `count` results is active; a move to the last one calls `loadMore`. */
function useActiveResult(count: number, loadMore: () => void) {
  const [at, setActive] = useState(0)
  const limit = (index: number): number => Math.max(0, Math.min(index, count - 1))
  const go = (to: number): void => {
    setActive(limit(to))
    if (to >= count - 1) loadMore()
  }
  // A removal may have shortened the results.
  return { active: limit(at), setActive, go }
}

interface SearchFieldProps {
  text: string
  listId: string
  /** The id of the active result; undefined without results. */
  activeId: string | undefined
  onType: (text: string) => void
  onMove: (step: 1 | -1) => void
  onEnter: () => void
}

/** The field keeps the focus while the arrows move through the results. */
function SearchField({ text, listId, activeId, onType, onMove, onEnter }: SearchFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  // After the sheet has opened, which puts the focus on its own first button.
  useEffect(() => field.current?.focus(), [])
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') onMove(1)
    else if (event.key === 'ArrowUp') onMove(-1)
    else if (event.key === 'Enter') onEnter()
    else return
    event.preventDefault()
  }
  return (
    <search className="message-search">
      <input
        ref={field}
        className="field-input"
        type="text"
        dir="auto"
        role="combobox"
        aria-label="Mesajlarda ara"
        placeholder="Bir sözcük yaz..."
        aria-expanded={activeId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={press}
      />
    </search>
  )
}

interface SearchNoteProps {
  state: SearchState
  text: string
  hint: string
  onAgain: () => void
}

/** The state of the search as text: visible without results, and announced to screen readers with them. */
function SearchNote({ state, text, hint, onAgain }: SearchNoteProps): ReactNode {
  if (state.is === 'failed') {
    return (
      <p className="soft break center" role="alert">
        {state.message}{' '}
        <button type="button" className="link-button" onClick={onAgain}>
          Tekrar dene
        </button>
      </p>
    )
  }
  const isFound = state.is === 'found' && state.messages.length > 0
  const look = state.is === 'found' ? 'empty' : 'soft break center'
  return (
    <p className={isFound ? 'visually-hidden' : look} role="status">
      {state.is === 'searching' ? (
        <span className="spinner" role="img" aria-label="Aranıyor..." />
      ) : (
        noteOf(state, text, hint)
      )}
    </p>
  )
}

function noteOf(state: Exclude<SearchState, { is: 'failed' }>, text: string, hint: string): string {
  if (state.is === 'empty') return hint
  if (state.is === 'tooShort') return QUERY_TOO_SHORT_TEXT
  if (state.is !== 'found') return ''
  if (state.messages.length === 0 && state.next === null) return `“${text.trim()}” için mesaj bulunamadı.`
  return state.next === null ? `${state.messages.length} mesaj bulundu.` : `${state.messages.length} mesaj, devamı var.`
}
