import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { formatMention } from '../../../shared/room-chat/quotes.ts'
import { live } from '../../live/state.ts'
import { roomUsers } from '../../rooms/room-users-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useSignalValue } from '../../use-signal-value.ts'
import { insertText } from './insert-text.ts'
import { type MentionQuery, matchNames, mentionAtCaret } from './mention-query.ts'

/** A name is looked for on the server when no key was pressed for this long. */
const SEARCH_DEBOUNCE_MS = 150

interface MentionListProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  roomId: number
  viewerId: number
}

/** The people of the room whose names fit the mention at the caret. Arrows, Enter or Tab, and Esc work in the field. */
export function MentionList({ field, text, roomId, viewerId }: MentionListProps): ReactNode {
  const listId = useId()
  const started = useMentionQuery(field, text)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [chosen, setChosen] = useState({ of: '', index: 0 })
  const offered = useSuggestions(started, roomId, viewerId)
  const isOpen = started !== null && started.start !== closedAt && offered.length > 0
  // Another query begins at its first name.
  const of = `${started?.start} ${started?.query}`
  const active = chosen.of === of ? Math.min(chosen.index, offered.length - 1) : 0

  useEffect(() => {
    if (!started) setClosedAt(null)
  }, [started])

  const pick = (person: Person | undefined): void => {
    const { current } = field
    if (!current || !started || !person) return
    insertText(current, `${formatMention(person.username)} `, started.start, current.selectionStart)
    current.focus()
  }

  useEffect(() => {
    const { current } = field
    if (!current || !isOpen) return
    const press = (event: KeyboardEvent): void => {
      if (event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) setChosen({ of, index: (active + step + offered.length) % offered.length })
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) pick(offered[active])
      else if (event.key === 'Escape') setClosedAt(started.start)
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
          className="mention-option"
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(person)}
        >
          <Avatar user={person} size={40} />
          <span>{person.username}</span>
        </button>
      ))}
    </div>
  )
}

/** Follows the caret. */
function useMentionQuery(field: RefObject<HTMLTextAreaElement | null>, text: string): MentionQuery | null {
  const [started, setStarted] = useState<MentionQuery | null>(null)
  useEffect(() => {
    const look = (): void => {
      const { current } = field
      const isHere = current !== null && document.activeElement === current
      const now = isHere && current.selectionStart === current.selectionEnd
      setStarted((before) => {
        const after = now ? mentionAtCaret(text, current.selectionStart) : null
        return before?.start === after?.start && before?.query === after?.query ? before : after
      })
    }
    look()
    document.addEventListener('selectionchange', look)
    field.current?.addEventListener('blur', look)
    return () => {
      document.removeEventListener('selectionchange', look)
      field.current?.removeEventListener('blur', look)
    }
  }, [field, text])
  return started
}

/** Of the people whom this page knows; in a large room the server is asked for those beyond. */
function useSuggestions(started: MentionQuery | null, roomId: number, viewerId: number): Person[] {
  const { users, isComplete } = useSignalValue(roomUsers, roomUsers.peek())
  const [further, setFurther] = useState<readonly Person[]>([])
  const query = started?.query ?? ''
  useEffect(() => {
    setFurther([])
    if (query === '' || isComplete) return
    let isCurrent = true
    const change = (to: (known: readonly Person[]) => readonly Person[]) => isCurrent && setFurther(to)
    const ends = [
      live.on('user-left', ({ username }) => change((known) => known.filter((one) => one.username !== username))),
      live.on('userUpdated', ({ user }) => change((known) => known.map((one) => (one.id === user.id ? user : one)))),
    ]
    const timer = setTimeout(async () => {
      const answer = await live.request('getRoomUsers', { roomId, search: query })
      if (isCurrent && typeof answer === 'object' && !(answer instanceof Refusal)) setFurther(answer.users)
    }, SEARCH_DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
      for (const end of ends) end()
    }
  }, [query, isComplete, roomId])
  if (!started) return []
  const known = new Map([...users, ...further].map((person) => [person.id, person]))
  return matchNames([...known.values()], query, viewerId)
}
