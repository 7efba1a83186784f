import { type ReactNode, useEffect, useId, useState } from 'react'
import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import { MAX_TESTED_TEXT_LENGTH } from '../../../shared/text-filters/limits.ts'
import { actionLabels, filterTexts } from '../../../shared/text-filters/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { entryList } from './filter-lists.ts'
import '../../core/ui/forms/field.css'

const TYPING_PAUSE_MS = 300

/** A field for a text, and what the filter would do to it. */
export function FilterTest(): ReactNode {
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

type Result = RouteAnswer<'testFilter'>

function TestResult({ result: { hits, isHeldBack, text } }: { result: Result }): ReactNode {
  if (hits.length === 0) return filterTexts.testNothing
  return (
    <>
      <p className="filter-verdict">
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
function useTestResult(text: string): Result | null {
  const [result, setResult] = useState<Result | null>(null)
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
