import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { formatMention } from '../../../../shared/text/format-mention.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { insertText } from './insert-text.ts'
import type { MentionedUser, MentionSource } from './mention-source.ts'

/** The maximum of names offered at once. */
const MAX_SUGGESTIONS = 6

/** The mention at the caret: the index of its @ and the text after it. */
interface MentionQuery {
  start: number
  query: string
}

// The same rule for an @ as in a sent message, in brackets or not (shared/text/rich-text.ts).
const MENTION_AT_END = /(?<![\p{L}\p{N}_.@/\]-])@(?:\[\{?)?([\p{L}\p{N}_.-]{0,20})$/u

/** Delay after the last key before the server is searched. */
const SEARCH_DEBOUNCE_MS = 150

interface MentionListProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  viewerId: UserId
  /** Loads the users who can be mentioned. It must be the same at each render. */
  loadSource: () => Promise<MentionSource>
}

/** People whose names match the mention at the caret. Arrows, Enter or Tab, and Esc work in the field. */
export function MentionList(props: MentionListProps): ReactNode {
  const query = useMentionQuery(props.field, props.text)
  const source = useMentionSource(props.loadSource)
  return source && <Suggestions {...props} query={query} source={source} />
}

interface SuggestionsProps extends MentionListProps {
  query: MentionQuery | null
  source: MentionSource
}

function Suggestions({ field, viewerId, query, source }: SuggestionsProps): ReactNode {
  const listId = useId()
  const [dismissedStart, setDismissedStart] = useState<number | null>(null)
  const [chosen, setChosen] = useState({ queryKey: '', index: 0 })
  const offered = useSuggestions(query, source, viewerId)
  const isOpen = query !== null && query.start !== dismissedStart && offered.length > 0
  // A new query selects its first name.
  const queryKey = `${query?.start} ${query?.query}`
  const active = chosen.queryKey === queryKey ? Math.min(chosen.index, offered.length - 1) : 0

  useEffect(() => {
    if (!query) setDismissedStart(null)
  }, [query])

  const pick = (person: MentionedUser | undefined): void => {
    const { current } = field
    if (!current || !query || !person) return
    insertText(current, `${formatMention(person.username)} `, query.start, current.selectionStart)
    current.focus()
  }
  useListKeys(field, isOpen && { listId, active, count: offered.length }, {
    move: (index) => setChosen({ queryKey, index }),
    pick: () => pick(offered[active]),
    dismiss: () => setDismissedStart(query?.start ?? null),
  })

  if (!isOpen) return null
  return (
    <div id={listId} className="mention-list" role="listbox" aria-label="Bahsedilecek kişi">
      {offered.map((person, index) => (
        <button
          key={person.id}
          id={`${listId}${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(person)}
        >
          <Avatar user={person} size={40} />
          <bdi className="truncate">{person.username}</bdi>
        </button>
      ))}
    </div>
  )
}

/** The users who can be mentioned; null until they are loaded. */
function useMentionSource(load: MentionListProps['loadSource']): MentionSource | null {
  const [source, setSource] = useState<MentionSource | null>(null)
  useEffect(() => {
    let isCurrent = true
    void load().then((loaded) => isCurrent && setSource(loaded))
    return () => {
      isCurrent = false
    }
  }, [load])
  return source
}

interface OpenList {
  listId: string
  active: number
  count: number
}

interface ListActions {
  move: (index: number) => void
  pick: () => void
  dismiss: () => void
}

/** The keys of an open list, pressed in the field. */
function useListKeys(
  field: RefObject<HTMLTextAreaElement | null>,
  list: OpenList | false,
  { move, pick, dismiss }: ListActions,
): void {
  useEffect(() => {
    const { current } = field
    if (!current || !list) return
    const { listId, active, count } = list
    const press = (event: KeyboardEvent): void => {
      if (event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) move((active + step + count) % count)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) pick()
      else if (event.key === 'Escape') dismiss()
      else return
      // Enter does not send, Tab does not leave, Esc closes nothing else.
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    current.addEventListener('keydown', press, { capture: true })
    current.setAttribute('aria-autocomplete', 'list')
    current.setAttribute('aria-controls', listId)
    current.setAttribute('aria-activedescendant', `${listId}${active}`)
    return () => {
      current.removeEventListener('keydown', press, { capture: true })
      for (const name of ['autocomplete', 'controls', 'activedescendant']) current.removeAttribute(`aria-${name}`)
    }
  })
}

/** The mention at the caret; null without one. */
function useMentionQuery(field: RefObject<HTMLTextAreaElement | null>, text: string): MentionQuery | null {
  const [query, setQuery] = useState<MentionQuery | null>(null)
  useEffect(() => {
    const update = (): void => {
      const { current } = field
      const hasFocus = current !== null && document.activeElement === current
      const hasCaret = hasFocus && current.selectionStart === current.selectionEnd
      setQuery((before) => {
        const after = hasCaret ? mentionAtCaret(text, current.selectionStart) : null
        return before?.start === after?.start && before?.query === after?.query ? before : after
      })
    }
    update()
    document.addEventListener('selectionchange', update)
    field.current?.addEventListener('blur', update)
    return () => {
      document.removeEventListener('selectionchange', update)
      field.current?.removeEventListener('blur', update)
    }
  }, [field, text])
  return query
}

/** Matches among the users loaded in this tab; an incomplete list also searches the server. */
function useSuggestions(mention: MentionQuery | null, source: MentionSource, viewerId: UserId): MentionedUser[] {
  const { users, isComplete } = useSignalValue(source.known, source.known.peek())
  const [found, setFound] = useState<readonly MentionedUser[]>([])
  const query = mention?.query ?? ''
  useEffect(() => {
    setFound([])
    if (query === '' || isComplete) return
    let isCurrent = true
    const end = source.onChange((update) => isCurrent && setFound(update))
    const timer = setTimeout(async () => {
      const answer = await source.search(query)
      if (isCurrent && answer) setFound(answer)
    }, SEARCH_DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      end()
    }
  }, [query, isComplete, source])
  if (!mention) return []
  const people = new Map([...users, ...found].map((person) => [person.id, person]))
  return matchNames([...people.values()], query, viewerId)
}

/** The mention that ends at the caret, or null. */
export function mentionAtCaret(text: string, caret: number): MentionQuery | null {
  const match = MENTION_AT_END.exec(text.slice(0, caret))
  return match ? { start: match.index, query: match[1] ?? '' } : null
}

/** Users whose folded names match: prefix matches first, then matches inside the name. */
export function matchNames<P extends { id: UserId; username: string }>(
  people: readonly P[],
  query: string,
  viewerId: UserId,
): P[] {
  const folded = foldName(query)
  const placed = people
    .filter(({ id }) => id !== viewerId)
    .map((person) => ({ person, at: foldName(person.username).indexOf(folded) }))
    .filter(({ at }) => at >= 0)
  const begins = placed.filter(({ at }) => at === 0)
  const innerMatches = placed.filter(({ at }) => at > 0)
  return [...begins, ...innerMatches].slice(0, MAX_SUGGESTIONS).map(({ person }) => person)
}
