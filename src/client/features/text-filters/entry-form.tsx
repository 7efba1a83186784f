import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { FilterEntry } from '../../../shared/text-filters/protocol.ts'
import { actionLabels, filterTexts, matchLabels } from '../../../shared/text-filters/screen-texts.ts'
import { inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { useFieldError } from '../../core/ui/forms/use-field-error.ts'
import { addEntries, changeEntry, type EntryFields } from './filter-lists.ts'
import '../../core/ui/forms/field.css'

interface EntryFormProps {
  /** null adds new ones. */
  entry: FilterEntry | null
  /** Called when it is saved or left. */
  end: () => void
}

const matches = [
  { value: 'stem', label: matchLabels.stem },
  { value: 'word', label: matchLabels.word },
] as const
const actions = [
  { value: 'replace', label: actionLabels.replace },
  { value: 'holdBack', label: actionLabels.holdBack },
  { value: 'alert', label: actionLabels.alert },
] as const

/** The form of one entry, or of several new ones with the same action. */
export function EntryForm({ entry, end }: EntryFormProps): ReactNode {
  const { values, problem, isBusy, edit, submit } = useEntryForm(entry, end)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [])
  return (
    <form ref={form} className="card stack gap-5 filter-form" {...inlineErrors} onSubmit={submit}>
      <TextField
        label={entry ? filterTexts.pattern : filterTexts.patterns}
        value={values.patterns}
        rows={entry ? 1 : 4}
        missing={filterTexts.patternMissing}
        onType={(patterns) => edit({ patterns })}
      />
      <RadioList
        legend={filterTexts.match}
        options={matches}
        value={values.match}
        onChange={(match) => edit({ match })}
      />
      <RadioList
        legend={filterTexts.action}
        options={actions}
        value={values.action}
        onChange={(action) => edit({ action })}
      />
      {values.action === 'replace' && (
        <TextField
          label={filterTexts.replacement}
          value={values.replacement}
          rows={1}
          onType={(replacement) => edit({ replacement })}
        />
      )}
      <TextField
        label={filterTexts.exceptions}
        hint={filterTexts.exceptionsHint}
        value={values.exceptions}
        rows={3}
        onType={(exceptions) => edit({ exceptions })}
      />
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className="filter-actions">
        <button type="button" className="button" onClick={end}>
          Vazgeç
        </button>
        <button type="submit" className="button button--accent" aria-disabled={isBusy}>
          {isBusy && <span className="spinner" />}
          {entry ? 'Kaydet' : 'Ekle'}
        </button>
      </div>
    </form>
  )
}

interface FormValues extends Pick<EntryFields, 'match' | 'action'> {
  /** One a line. */
  patterns: string
  replacement: string
  exceptions: string
}

function useEntryForm(entry: FilterEntry | null, end: () => void) {
  const [values, setValues] = useState<FormValues>({
    patterns: entry?.pattern ?? '',
    match: entry?.match ?? 'stem',
    action: entry?.action ?? 'replace',
    replacement: entry?.replacement ?? '',
    exceptions: entry?.exceptions.join('\n') ?? '',
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const edit = (change: Partial<FormValues>): void => {
    setProblem(null)
    setValues({ ...values, ...change })
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const patterns = linesOf(values.patterns)
    const [pattern] = patterns
    if (isBusy || pattern === undefined) return
    const { match, action, replacement } = values
    const fields: EntryFields = {
      match,
      action,
      replacement: action === 'replace' ? replacement.trim() || null : null,
      exceptions: linesOf(values.exceptions),
    }
    setBusy(true)
    const failure = entry ? await changeEntry(entry.id, pattern, fields) : await addEntries(patterns, fields)
    setBusy(false)
    setProblem(failure)
    if (failure === null) end()
  }
  return { values, problem, isBusy, edit, submit }
}

/** The lines of a field that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

interface TextFieldProps {
  label: string
  hint?: string
  /** The error when nothing is typed; absent if the field may stay empty. */
  missing?: string
  value: string
  /** 1 for a field of one line. */
  rows: number
  onType: (text: string) => void
}

/** A field of one or of several lines. */
export function TextField({ label, hint, missing, value, rows, onType }: TextFieldProps): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLInputElement & HTMLTextAreaElement>(value.trim() === '' ? (missing ?? null) : null)
  const shared = {
    ref: field,
    id,
    required: missing !== undefined,
    value,
    autoComplete: 'off',
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {rows === 1 ? (
        <input {...shared} className="field-input" onChange={({ target }) => onType(target.value)} />
      ) : (
        <textarea
          {...shared}
          className="field-input field-area"
          rows={rows}
          onChange={({ target }) => onType(target.value)}
        />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
