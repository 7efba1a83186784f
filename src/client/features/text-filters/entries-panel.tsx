import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FilterEntry } from '../../../shared/text-filters/protocol.ts'
import { actionLabels, entryTotalText, filterTexts, matchLabels } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { EntryForm } from './entry-form.tsx'
import { deleteEntry, entryList, entrySearch, entryTotal, searchEntries } from './filter-lists.ts'
import { FilterTest } from './filter-test.tsx'
import '../../core/ui/forms/field.css'

/** The entries of the filter with a search, a form for each, and the test field. */
export function EntriesPanel(): ReactNode {
  const list = useSignalValue(entryList.list, null)
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
      <PagedList<FilterEntry, number>
        list={list}
        load={entryList.load}
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
      className="field-input field-input--low filter-search"
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
