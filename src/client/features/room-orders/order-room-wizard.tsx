import { type ReactNode, useEffect, useId, useState } from 'react'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { MAX_ROOM_NAME_LENGTH, roomNameError } from '../../../shared/room-orders/room-name.ts'
import {
  CONFIRM_ORDER_LABEL,
  LISTED_LABEL,
  LISTING_QUESTION,
  NAME_QUESTION,
  ORDER_FAILED,
  ORDER_FIELDS_MISSING,
  ORDER_REFUSED,
  ORDER_ROOM_TITLE,
  ROOM_NAME_MISSING,
  ROOM_NAME_TAKEN,
  UNLISTED_LABEL,
} from '../../../shared/room-orders/texts.ts'
import { LISTING_SURCHARGE_LIRA } from '../../../shared/rooms/rules.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { callApi } from '../../core/http/call-api.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { Wizard, type WizardStep } from '../../core/ui/dialogs/wizard.tsx'
import { useFieldError } from '../../core/ui/forms/use-field-error.ts'
import { OptionList } from '../../core/ui/lists/option-list.tsx'
import { PurchaseProblem } from './purchase-problem.tsx'
import { capacityStep, durationStep, withPrice } from './term-steps.tsx'
import { usePurchase } from './use-purchase.ts'
import { useRoomTerms } from './use-room-terms.ts'

const TYPING_PAUSE_MS = 250

/** 'Yeni Oda Siparişi' in four steps: name, duration, capacity, listing (specification 2, point 2, "Room creation wizard"). */
export function OrderRoomWizard({ onClose }: OverlayProps): ReactNode {
  const [name, setName] = useState('')
  const [isList, setList] = useState(true)
  const terms = useRoomTerms()
  const isTaken = useTakenName(normaliseName(name))
  const texts = { refused: ORDER_REFUSED, failed: ORDER_FAILED }
  const { refusal, clearRefusal, buy } = usePurchase('/rooms', texts, terms.reload)
  const price = terms.price(isList)
  const submit = async (): Promise<boolean> => {
    const { duration, capacity } = terms
    if (normaliseName(name) === '' || !duration.option || !capacity.option) {
      void toast(ORDER_FIELDS_MISSING, 'warning')
      return false
    }
    const options = { capacityOptionId: capacity.option.id, durationOptionId: duration.option.id }
    return buy({ name: normaliseName(name), ...options, isList, price })
  }
  const chooseListing = (choice: boolean): void => {
    clearRefusal()
    setList(choice)
  }
  const steps: WizardStep[] = [
    {
      title: NAME_QUESTION,
      content: <NameField name={name} onChange={setName} isTaken={isTaken} />,
      check: () => (normaliseName(name) === '' ? roomNameError('') : null),
    },
    durationStep(terms),
    capacityStep(terms),
    {
      title: LISTING_QUESTION,
      content: <ListingChoice isList={isList} onChange={chooseListing} refusal={refusal} />,
      nextLabel: withPrice(CONFIRM_ORDER_LABEL, price),
    },
  ]
  return (
    <Wizard
      title={ORDER_ROOM_TITLE}
      steps={steps}
      onProblem={(text) => void toast(text, 'warning')}
      submit={submit}
      onClose={onClose}
    />
  )
}

/** Spaces in a row count as one. */
function normaliseName(typed: string): string {
  return typed.trim().replace(/\s+/g, ' ')
}

interface NameFieldProps {
  name: string
  onChange: (name: string) => void
  isTaken: boolean
}

function NameField({ name, onChange, isTaken }: NameFieldProps): ReactNode {
  const noteId = useId()
  const typed = normaliseName(name)
  const field = useFieldError<HTMLInputElement>(
    typed === '' ? ROOM_NAME_MISSING : (roomNameError(typed) ?? (isTaken ? ROOM_NAME_TAKEN : null)),
  )
  return (
    <div className="field">
      <input
        ref={field}
        className="field-input"
        required
        aria-label={NAME_QUESTION}
        aria-describedby={noteId}
        aria-invalid={isTaken}
        placeholder="Oda Adı"
        autoComplete="off"
        maxLength={2 * MAX_ROOM_NAME_LENGTH}
        value={name}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={noteId} className={isTaken ? 'field-error' : 'field-hint'} role="status">
        {isTaken ? ROOM_NAME_TAKEN : `En fazla ${MAX_ROOM_NAME_LENGTH} karakter.`}
      </p>
    </div>
  )
}

interface ListingChoiceProps {
  isList: boolean
  onChange: (isList: boolean) => void
  /** Of the order. */
  refusal: RefusalBody | null
}

function ListingChoice({ isList, onChange, refusal }: ListingChoiceProps): ReactNode {
  return (
    <>
      <OptionList
        label={LISTING_QUESTION}
        options={[
          { value: 'listed', label: LISTED_LABEL, detail: `+${formatLira(LISTING_SURCHARGE_LIRA)}` },
          { value: 'unlisted', label: UNLISTED_LABEL },
        ]}
        value={isList ? 'listed' : 'unlisted'}
        onChange={(choice) => onChange(choice === 'listed')}
      />
      <PurchaseProblem refusal={refusal} />
    </>
  )
}

/** Whether a room has this name already, asked in a pause of typing. The server decides when it is ordered. */
function useTakenName(name: string): boolean {
  const [takenName, setTakenName] = useState<string | null>(null)
  useEffect(() => {
    if (roomNameError(name) !== null) return
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      const path = `/rooms/is-name-free/${encodeURIComponent(name)}`
      const answer = await callApi<'isRoomNameFree'>(path, { as: 'user', signal: leaving.signal })
      if (!leaving.signal.aborted) setTakenName(isFailure(answer) || answer.isFree ? null : name)
    }, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [name])
  return takenName === name
}
