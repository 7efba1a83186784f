import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MAX_OPTIONS } from '../../../shared/wallet/options/limits.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import type { FieldValues, OptionField } from './option-fields.ts'
import { OptionForm } from './option-form.tsx'
import { type OptionStore, useLiveValue } from './option-store.ts'
import { NOT_SAVED_TEXT, OPTIONS_NOT_LOADED_TEXT } from './texts.ts'

/** How a kind of option is shown and edited. */
export interface OptionListKind<O extends { id: number }> {
  store: OptionStore<O>
  /** The route of the list, to which an option is added; `/{id}` below it changes and deletes one. */
  path: string
  fields: readonly OptionField[]
  /** The fields of a new option, or of this one. */
  toValues(option: O | null): FieldValues
  toBody(values: FieldValues, option: O | null): object
  describe(option: O): { label: string; detail?: string; pictureUrl?: string }
  /** Options are neither added nor deleted. */
  isFixed?: boolean
  /** Switches an option on and off; without it an option is always on. */
  status?: { isOn(option: O): boolean; toBody(option: O, isOn: boolean): object }
}

type Editing = { id: number | 'new'; as: 'form' | 'deletion' } | null

/** A list of options with a form for each, one that adds an option, and a question before one is deleted. */
export function OptionListEditor<O extends { id: number }>({ kind }: { kind: OptionListKind<O> }): ReactNode {
  const { value: options, isFailed, reload } = useLiveValue(kind.store.list)
  const [lastEditing, setEditing] = useState<Editing>(null)
  // The option may have been deleted, here or by another root admin.
  const isGone = typeof lastEditing?.id === 'number' && options?.some(({ id }) => id === lastEditing.id) === false
  const editing = isGone ? null : lastEditing
  const list = useFocusOnEnd(editing)
  if (isFailed && !options) return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={reload} />
  if (!options) return <ListLoading />
  const end = () => setEditing(null)
  return (
    <div ref={list} className="stack gap-3">
      {options.length === 0 && <p className="list-note">Henüz seçenek yok.</p>}
      <ul className="stack gap-0">
        {options.map((option) => (
          <li key={option.id} className="option-row" data-option={option.id}>
            {editing?.id !== option.id && <OptionRow kind={kind} option={option} edit={setEditing} />}
            {editing?.id === option.id && editing.as === 'form' && <ChangeForm kind={kind} option={option} end={end} />}
            {editing?.id === option.id && editing.as === 'deletion' && (
              <DeleteQuestion kind={kind} option={option} end={end} />
            )}
          </li>
        ))}
      </ul>
      {!kind.isFixed && (
        <NewOption
          kind={kind}
          isOpen={editing?.id === 'new'}
          isFull={options.length >= MAX_OPTIONS}
          edit={setEditing}
        />
      )}
    </div>
  )
}

interface NewOptionProps<O extends { id: number }> {
  kind: OptionListKind<O>
  isOpen: boolean
  isFull: boolean
  edit: (editing: Editing) => void
}

/** The button that adds an option, or its form. */
function NewOption<O extends { id: number }>({ kind, isOpen, isFull, edit }: NewOptionProps<O>): ReactNode {
  const end = () => edit(null)
  return (
    <div data-option="new">
      {isOpen && (
        <OptionForm
          fields={kind.fields}
          saved={kind.toValues(null)}
          submitLabel="Ekle"
          send={(values) => callApi(kind.path, { as: 'admin', body: kind.toBody(values, null) })}
          onSaved={end}
          onCancel={end}
        />
      )}
      {!isOpen && !isFull && (
        <button type="button" className="button" onClick={() => edit({ id: 'new', as: 'form' })}>
          Seçenek ekle
        </button>
      )}
    </div>
  )
}

/** Returns the focus to the row, or to the button that adds, when its form closes. */
function useFocusOnEnd(editing: Editing) {
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef<Editing>(null)
  useEffect(() => {
    const ended = shown.current
    shown.current = editing
    if (ended && !editing) {
      const place = list.current?.querySelector(`[data-option="${ended.id}"] button, [data-option="new"] button`)
      if (place instanceof HTMLElement) place.focus()
    }
  }, [editing])
  return list
}

interface OptionProps<O extends { id: number }> {
  kind: OptionListKind<O>
  option: O
}

function OptionRow<O extends { id: number }>({
  kind,
  option,
  edit,
}: OptionProps<O> & { edit: (editing: Editing) => void }): ReactNode {
  const { label, detail, pictureUrl } = kind.describe(option)
  const isOn = kind.status?.isOn(option) ?? true
  return (
    <>
      {pictureUrl !== undefined && <img src={pictureUrl} alt="" />}
      <span data-on={isOn}>
        <b>{label}</b>
        {detail !== undefined && <span>{detail}</span>}
        {!isOn && <span className="small">Kapalı</span>}
      </span>
      {kind.status && <StatusButton kind={kind} option={option} isOn={isOn} />}
      <button
        type="button"
        className="link-button"
        aria-label={`Düzenle: ${label}`}
        onClick={() => edit({ id: option.id, as: 'form' })}
      >
        Düzenle
      </button>
      {!kind.isFixed && (
        <button
          type="button"
          className="link-button danger"
          aria-label={`Sil: ${label}`}
          onClick={() => edit({ id: option.id, as: 'deletion' })}
        >
          Sil
        </button>
      )}
    </>
  )
}

function StatusButton<O extends { id: number }>({ kind, option, isOn }: OptionProps<O> & { isOn: boolean }): ReactNode {
  const toggle = async (): Promise<void> => {
    const body = kind.status?.toBody(option, !isOn)
    if (body)
      toastIfFailed(await callApi(`${kind.path}/${option.id}`, { as: 'admin', method: 'PUT', body }), NOT_SAVED_TEXT)
  }
  const label = isOn ? 'Kapat' : 'Aç'
  return (
    <button
      type="button"
      className="link-button"
      aria-label={`${label}: ${kind.describe(option).label}`}
      onClick={() => void toggle()}
    >
      {label}
    </button>
  )
}

function ChangeForm<O extends { id: number }>({ kind, option, end }: OptionProps<O> & { end: () => void }): ReactNode {
  return (
    <OptionForm
      fields={kind.fields}
      saved={kind.toValues(option)}
      submitLabel="Kaydet"
      send={(values) =>
        callApi(`${kind.path}/${option.id}`, { as: 'admin', method: 'PUT', body: kind.toBody(values, option) })
      }
      onSaved={end}
      onCancel={end}
    />
  )
}

function DeleteQuestion<O extends { id: number }>({
  kind,
  option,
  end,
}: OptionProps<O> & { end: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  // After its deletion the option goes with the event that removes it from the list.
  const remove = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const answer = await callApi(`${kind.path}/${option.id}`, { as: 'admin', method: 'DELETE' })
    if (toastIfFailed(answer, 'Seçenek silinemedi!')) setBusy(false)
  }
  return (
    <div className="option-question">
      <p>
        <b>{kind.describe(option).label}</b> silinsin mi?
      </p>
      <button ref={stay} type="button" className="button" onClick={end}>
        Vazgeç
      </button>
      <button type="button" className="button button--danger" aria-disabled={isBusy} onClick={() => void remove()}>
        {isBusy && <span className="spinner" />}
        Sil
      </button>
    </div>
  )
}
