import type { ReactNode } from 'react'
import { CAPACITY_QUESTION, DURATION_QUESTION, ORDER_FIELDS_MISSING } from '../../../shared/room-orders/texts.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import type { WizardStep } from '../../core/ui/dialogs/wizard.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { OptionList } from '../../core/ui/lists/option-list.tsx'
import { LIST_NOT_LOADED, ListFailure } from '../../core/ui/lists/paged-list.tsx'
import type { Choice, RoomTerms } from './use-room-terms.ts'

/** The step of a wizard that asks for the duration. */
export function durationStep({ duration, ...terms }: RoomTerms): WizardStep {
  const options = duration.options?.map(({ id, durationInMonths, discountPercentage }) => ({
    value: id,
    label: `${countText(durationInMonths)} Ay`,
    ...(discountPercentage > 0 && { detail: `%${Math.round(discountPercentage * 100)} indirim` }),
  }))
  return {
    title: DURATION_QUESTION,
    check: () => leave(duration),
    content: <Options {...terms} label={DURATION_QUESTION} choice={duration} options={options ?? null} />,
  }
}

/** The step of a wizard that asks for the capacity. Its button shows the price so far, without the surcharge. */
export function capacityStep({ capacity, ...terms }: RoomTerms): WizardStep {
  const options = capacity.options?.map(({ id, numberOfPeople, price }) => ({
    value: id,
    label: `${countText(numberOfPeople)} Kişi`,
    detail: formatLira(price),
  }))
  return {
    title: CAPACITY_QUESTION,
    check: () => leave(capacity),
    content: <Options {...terms} label={CAPACITY_QUESTION} choice={capacity} options={options ?? null} />,
    nextLabel: withPrice('Devam et', terms.price(false)),
  }
}

/** A button's label with the price. */
export function withPrice(label: string, price: number | null): ReactNode {
  return price === null ? label : `${label} · ${formatLira(price)}`
}

function leave(choice: Choice<unknown>): string | null {
  choice.settle()
  return choice.option === null ? ORDER_FIELDS_MISSING : null
}

interface OptionsProps extends Pick<RoomTerms, 'isFailed' | 'reload'> {
  label: string
  choice: Choice<{ id: number }>
  options: readonly { value: number; label: string; detail?: string }[] | null
}

function Options({ label, choice, options, isFailed, reload }: OptionsProps): ReactNode {
  if (isFailed && options === null) return <ListFailure reason={LIST_NOT_LOADED} reload={reload} />
  return <OptionList label={label} options={options} value={choice.option?.id ?? null} onChange={choice.choose} />
}
