import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { FilterEntry } from '../../../shared/text-filters/protocol.ts'
import { actionLabels, entryTotalText, filterTexts, matchLabels } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { EntryForm } from './entry-form.tsx'
import { deleteEntry, entryList, entrySearch, entryTotal, searchEntries } from './filter-lists.ts'
import '../../core/ui/forms/field.css'
import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { MAX_TESTED_TEXT_LENGTH } from '../../../shared/text-filters/limits.ts'
import { callApi } from '../../core/http/call-api.ts'

const TYPING_PAUSE_MS = 300

type TestAnswer = RouteAnswer<'testFilter'>

/** The entries of the filter with a search, a form for each, and the test field. */
export function EntriesPanel(): ReactNode {
  const total = useSignalValue(entryTotal, 0)
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const endAdding = (): void => {
    setAdding(false)
    requestAnimationFrame(() => addButton.current?.focus())
  }
  return (
    <>
      <FilterTest />
      {isAdding ? (
        <EntryForm entry={null} end={endAdding} />
      ) : (
        <div className="toolbar">
          <EntrySearch />
          <span className="soft small">{entryTotalText(total)}</span>
          <button ref={addButton} type="button" className="button button--accent" onClick={() => setAdding(true)}>
            {filterTexts.addEntry}
          </button>
        </div>
      )}
      <PagedList
        list={entryList}
        empty={filterTexts.noEntries}
        row={(entry) => <EntryRow key={entry.id} entry={entry} />}
        isEndless
      />
    </>
  )
}

const SEARCH_DELAY_MS = 250

function EntrySearch(): ReactNode {
  const [typed, setTyped] = useState(entrySearch.peek())
  useEffect(() => {
    const timer = setTimeout(() => searchEntries(typed), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      className="field-input field-input--low"
      type="search"
      aria-label={filterTexts.search}
      placeholder={filterTexts.search}
      value={typed}
      maxLength={60}
      autoComplete="off"
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}

function EntryRow({ entry }: { entry: FilterEntry }): ReactNode {
  const [isEdited, setEdited] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const remove = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await deleteEntry(entry.id))) setBusy(false)
  }
  if (isEdited)
    return (
      <li>
        <EntryForm entry={entry} end={() => setEdited(false)} />
      </li>
    )
  const { pattern, match, action, replacement, exceptions } = entry
  return (
    <li className="card row filter-row">
      <div className="stack gap-0 grow break">
        <b>
          <bdi>{pattern}</bdi>
        </b>
        <span className="soft small">
          {actionLabels[action]}
          {replacement !== null && ` → ${replacement}`} · {matchLabels[match]}
          {exceptions.length > 0 && ` · istisna: ${exceptions.join(', ')}`}
        </span>
      </div>
      <button
        type="button"
        className="link-button fixed"
        aria-label={`Düzenle: ${pattern}`}
        onClick={() => setEdited(true)}
      >
        Düzenle
      </button>
      <button
        type="button"
        className="link-button fixed danger"
        aria-label={`Sil: ${pattern}`}
        aria-disabled={isBusy}
        onClick={remove}
      >
        Sil
      </button>
    </li>
  )
}

/** A field for a text, and what the filter would do to it. */
function FilterTest(): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const result = useTestResult(text)
  return (
    <div className="field card filter-form">
      <label className="field-label" htmlFor={id}>
        {filterTexts.testLabel}
      </label>
      <input
        id={id}
        className="field-input"
        value={text}
        maxLength={MAX_TESTED_TEXT_LENGTH}
        autoComplete="off"
        aria-describedby={`${id}-result`}
        onChange={({ target }) => setText(target.value)}
      />
      <div id={`${id}-result`} className="field-hint" role="status">
        {result ? <TestResult result={result} /> : filterTexts.testHint}
      </div>
    </div>
  )
}

function TestResult({ result: { hits, isHeldBack, text } }: { result: TestAnswer }): ReactNode {
  if (hits.length === 0) return filterTexts.testNothing
  return (
    <>
      <p className="strong">
        {isHeldBack ? (
          filterTexts.testHeld
        ) : (
          <>
            {filterTexts.testResult} <q dir="auto">{text}</q>
          </>
        )}
      </p>
      <p>{hits.map(({ pattern, word, action }) => `${word} (${pattern}, ${actionLabels[action]})`).join(' · ')}</p>
    </>
  )
}

/** What the server says of the text once typing has paused, and again when the entries have changed. */
function useTestResult(text: string): TestAnswer | null {
  const [result, setResult] = useState<TestAnswer | null>(null)
  useEffect(() => {
    if (text.trim() === '') return setResult(null)
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = (): void => {
      clearTimeout(timer)
      timer = setTimeout(async () => {
        const asked = timer
        const query = new URLSearchParams({ text: text.toWellFormed() })
        const answer = await callApi<'testFilter'>(`/moderation/filter-test?${query}`, { as: 'admin' })
        if (asked === timer) setResult(isFailure(answer) ? null : answer)
      }, TYPING_PAUSE_MS)
    }
    const stop = entryList.list.subscribe(ask)
    return () => {
      stop()
      clearTimeout(timer)
      timer = undefined
    }
  }, [text])
  return result
}
