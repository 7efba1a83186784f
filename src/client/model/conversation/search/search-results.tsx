import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { mediaPreviews } from '../../../../shared/media/previews.ts'
import { MAX_MESSAGE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { quoteExcerpt } from '../../../../shared/room-chat/quotes.ts'
import { type HighlightSegment, highlightMatches, type SearchQuery } from '../../../../shared/text/search-words.ts'
import { clockTime, dayName } from '../../../core/ui/format/turkish-time.ts'
import { Avatar, tintClass } from '../../../core/ui/person/avatar.tsx'
import type { ConversationMessage } from '../store/message-types.ts'
import type { SearchState } from './message-search.ts'

interface SearchResultsProps {
  id: string
  results: Extract<SearchState, { is: 'found' }>
  /** The one that the keyboard is at. */
  active: number
  now: number
  onChoose: (message: ConversationMessage) => void
  onMore: () => void
}

/** The results, newest first; the next page loads when the end of the list comes into view. */
export function SearchResults({ id, results, active, now, onChoose, onMore }: SearchResultsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const { messages, query, next } = results

  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div ref={list} className="panel-scroll">
      <div id={id} role="listbox" aria-label="Bulunan mesajlar">
        {messages.map((message, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search box has the focus and the keys
          <div
            key={message.id}
            id={`${id}-${index}`}
            className="search-result"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            data-index={index}
            onClick={() => onChoose(message)}
          >
            <SearchResult message={message} asked={query} now={now} />
          </div>
        ))}
      </div>
      {next !== null && <MoreResults key={messages.length} next={next} onMore={onMore} />}
    </div>
  )
}

function SearchResult({
  message,
  asked,
  now,
}: {
  message: ConversationMessage
  asked: SearchQuery
  now: number
}): ReactNode {
  const { senderId, senderUsername, createdAt, content, media } = message
  const face = {
    id: senderId,
    username: senderUsername,
    gender: message.senderGender,
    avatarUrl: message.senderAvatarUrl,
    isGuest: message.senderIsGuest,
  }
  const pieces = useMemo(
    () => excerptOf(highlightMatches(quoteExcerpt(content, MAX_MESSAGE_LENGTH), asked)),
    [content, asked],
  )
  return (
    <>
      <Avatar user={face} size={40} />
      <div className="grow">
        <p className="row between baseline">
          <bdi className={`truncate small bold ${tintClass(senderId)}`}>{senderUsername}</bdi>
          <time className="fixed faint tiny tabular" dateTime={new Date(createdAt).toISOString()}>
            {dayName(createdAt, now)} {clockTime(createdAt)}
          </time>
        </p>
        <p className="search-result-text" dir="auto">
          {media && <span className="tag tag--neutral tiny">{mediaPreviews[media.mediaType]}</span>}
          {pieces.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}
        </p>
      </div>
    </>
  )
}

/** The characters shown before the first match of a long text. */
const MAX_LEAD_CHARS = 40

/** A long text from shortly before its first match; CSS cuts the rest. */
function excerptOf(pieces: readonly HighlightSegment[]): readonly HighlightSegment[] {
  const [first, ...more] = pieces
  if (!first || first.isMatch) return pieces
  const letters = [...first.text]
  if (letters.length <= MAX_LEAD_CHARS + 20) return pieces
  return [{ text: `…${letters.slice(-MAX_LEAD_CHARS).join('')}`, isMatch: false }, ...more]
}

function MoreResults({
  next,
  onMore,
}: {
  next: NonNullable<SearchResultsProps['results']['next']>
  onMore: () => void
}): ReactNode {
  const listEnd = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  useEffect(() => {
    if (!listEnd.current) return
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) ask.current()
    })
    seen.observe(listEnd.current)
    return () => seen.disconnect()
  }, [])
  return (
    <div ref={listEnd} className="search-results-next">
      {next.is === 'failed' ? (
        <>
          <p role="alert">{next.message}</p>
          <button type="button" className="link-button" onClick={onMore}>
            Tekrar dene
          </button>
        </>
      ) : (
        <span className="spinner" role="status" aria-label="Yükleniyor..." />
      )}
    </div>
  )
}
