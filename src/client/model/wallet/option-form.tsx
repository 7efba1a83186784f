import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import { useFieldError } from '../../core/ui/forms/use-field-error.ts'
import type { FieldValues, OptionField } from './option-fields.ts'
import { CHANGED_ELSEWHERE_TEXT, NOT_SAVED_TEXT } from './texts.ts'
import '../../core/ui/forms/field.css'

interface OptionFormProps {
  fields: readonly OptionField[]
  /** The saved values; a later change of another root admin is shown beside what is typed here. */
  saved: FieldValues
  submitLabel: string
  /** Sends the checked values. */
  send: (values: FieldValues) => Promise<object | string>
  /** Called after an answer that is no failure. */
  onSaved?: () => void
  /** With it the form has 'Vazgeç', and takes the focus. */
  onCancel?: () => void
  children?: ReactNode
}

/** The form of an option or of a setting. The server's reason for a refusal is shown in it. */
export function OptionForm(props: OptionFormProps): ReactNode {
  const { fields, saved, submitLabel, onCancel, children } = props
  const { values, isEdited, isOutdated, problem, isBusy, edit, submit } = useOptionForm(props)
  const isNew = onCancel !== undefined
  const form = useFocusedForm(isNew)
  return (
    <form ref={form} className="option-form" {...inlineErrors} onSubmit={submit}>
      <div className="field-row">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onType={(text) => edit(field.name, text)}
          />
        ))}
      </div>
      {isOutdated && <ChangeNotice fields={fields} saved={saved} />}
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className="row wrap end">
        {children}
        {onCancel && (
          <button type="button" className="button" onClick={onCancel}>
            Vazgeç
          </button>
        )}
        <button type="submit" className="button button--accent" aria-disabled={isBusy || !(isEdited || isNew)}>
          {isBusy && <span className="spinner" />}
          {submitLabel}
        </button>
      </div>
    </form>
  )
}

/** Focuses the first field when the form opens. */
function useFocusedForm(isOpened: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isOpened) form.current?.querySelector('input')?.focus()
  }, [isOpened])
  return form
}

/** What another root admin has saved while this form was edited. */
function ChangeNotice({ fields, saved }: Pick<OptionFormProps, 'fields' | 'saved'>): ReactNode {
  return (
    <p className="field-hint" role="status">
      {CHANGED_ELSEWHERE_TEXT} {fields.map(({ label, name }) => `${label}: ${saved[name] || '-'}`).join(', ')}
    </p>
  )
}

function useOptionForm({ saved, send, onSaved }: OptionFormProps) {
  /** null: nothing is typed, and the form shows what is saved. */
  const [typed, setTyped] = useState<{ values: FieldValues; over: string } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const values = typed?.values ?? saved
  const edit = (name: string, text: string): void => {
    setProblem(null)
    setTyped({ values: { ...values, [name]: text }, over: typed?.over ?? JSON.stringify(saved) })
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy || (!typed && onSaved === undefined)) return
    setBusy(true)
    const answer = await send(values)
    setBusy(false)
    if (isFailure<object | string | Refusal>(answer)) return setProblem(failureText(answer, NOT_SAVED_TEXT))
    setTyped(null)
    onSaved?.()
  }
  const isOutdated = typed !== null && typed.over !== JSON.stringify(saved)
  return { values, isEdited: typed !== null, isOutdated, problem, isBusy, edit, submit }
}

interface FieldProps {
  field: OptionField
  value: string
  onType: (text: string) => void
}

function Field({ field: { name, label, inputMode, maxLength, check }, value, onType }: FieldProps): ReactNode {
  const id = useId()
  const input = useFieldError<HTMLInputElement>(check(value))
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className="field-input"
        name={name}
        value={value}
        inputMode={inputMode}
        maxLength={maxLength}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
    </div>
  )
}
