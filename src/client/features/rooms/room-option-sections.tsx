import type { ReactNode } from 'react'
import { MAX_DURATION_MONTHS, MAX_ROOM_CAPACITY, MIN_ROOM_CAPACITY } from '../../../shared/rooms/option-limits.ts'
import type { CapacityOption, DurationOption } from '../../../shared/rooms/options-protocol.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { capacityOptions, durationOptions } from '../../model/rooms/room-options.ts'
import { liraField, numberField, numberIn } from '../../model/wallet/option-fields.ts'
import { OptionListEditor, type OptionListKind } from '../../model/wallet/option-list-editor.tsx'

const capacityKind: OptionListKind<CapacityOption> = {
  store: capacityOptions,
  path: '/root-admin/capacity-options',
  fields: [numberField('numberOfPeople', 'Kişi', MIN_ROOM_CAPACITY, MAX_ROOM_CAPACITY), liraField('price', 'Fiyat')],
  toValues: (option) => ({
    numberOfPeople: option ? String(option.numberOfPeople) : '',
    price: option ? String(option.price) : '',
  }),
  toBody: (values) => ({ numberOfPeople: numberIn(values, 'numberOfPeople'), price: numberIn(values, 'price') }),
  describe: ({ numberOfPeople, price }) => ({ label: `${countText(numberOfPeople)} Kişi`, detail: formatLira(price) }),
}

const durationKind: OptionListKind<DurationOption> = {
  store: durationOptions,
  path: '/root-admin/duration-options',
  fields: [
    numberField('durationInMonths', 'Ay', 1, MAX_DURATION_MONTHS),
    numberField('discount', 'İndirim (%)', 0, 100),
  ],
  toValues: (option) => ({
    durationInMonths: option ? String(option.durationInMonths) : '',
    discount: option ? String(Math.round(option.discountPercentage * 100)) : '',
  }),
  toBody: (values) => ({
    durationInMonths: numberIn(values, 'durationInMonths'),
    discountPercentage: numberIn(values, 'discount') / 100,
  }),
  describe: ({ durationInMonths, discountPercentage }) => ({
    label: `${durationInMonths} Ay`,
    detail: `%${Math.round(discountPercentage * 100)} indirim`,
  }),
}

/** The capacities that a room can be ordered with. */
export function CapacityOptionsSection(): ReactNode {
  return <OptionListEditor kind={capacityKind} />
}

/** The durations that a room can be ordered for. */
export function DurationOptionsSection(): ReactNode {
  return <OptionListEditor kind={durationKind} />
}
