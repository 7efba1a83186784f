import * as v from 'valibot'
import { idText, loggedEvent, route } from '../protocol/define.ts'
import { CapacityOptionId, DurationOptionId } from '../protocol/ids.ts'
import { MAX_OPTIONS } from '../wallet/options/limits.ts'
import { OptionLira } from '../wallet/options/lira.ts'
import { editingOptions, readingOptions } from '../wallet/options/specs.ts'
import { MAX_DURATION_MONTHS, MAX_ROOM_CAPACITY, MIN_ROOM_CAPACITY } from './option-limits.ts'

/** How many people a room may hold, and its price for one period in lira (specification 2, point 3). */
const capacityFields = {
  numberOfPeople: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(MIN_ROOM_CAPACITY, 'Bir oda en az 2 kişilik olmalı.'),
    v.maxValue(MAX_ROOM_CAPACITY, 'Bir oda en fazla 100.000 kişilik olabilir.'),
  ),
  price: OptionLira,
}
export const CapacityOption = v.object({ id: CapacityOptionId, ...capacityFields })
export type CapacityOption = v.InferOutput<typeof CapacityOption>

/** How long a room is paid for, and the discount as a fraction from 0 to 1 (specification 2, point 3). */
const durationFields = {
  durationInMonths: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'Süre en az 1 ay olmalı.'),
    v.maxValue(MAX_DURATION_MONTHS, 'Süre en fazla 60 ay olabilir.'),
  ),
  discountPercentage: v.pipe(
    v.number(),
    v.minValue(0, 'İndirim %0 ile %100 arasında olmalı.'),
    v.maxValue(1, 'İndirim en fazla %100 olabilir.'),
  ),
}
export const DurationOption = v.object({ id: DurationOptionId, ...durationFields })
export type DurationOption = v.InferOutput<typeof DurationOption>

const SuccessAnswer = v.object({ success: v.literal(true) })
const CapacityAnswer = v.object({ success: v.literal(true), option: CapacityOption })
const DurationAnswer = v.object({ success: v.literal(true), option: DurationOption })

export const events = {
  capacityOptionAdded: loggedEvent({
    description: 'A room capacity can be ordered from now on.',
    payload: CapacityOption,
  }),
  capacityOptionUpdated: loggedEvent({
    description: 'A room capacity has another size or price.',
    payload: CapacityOption,
  }),
  capacityOptionDeleted: loggedEvent({
    description: 'A room capacity can no longer be ordered.',
    payload: v.object({ id: CapacityOptionId }),
  }),
  durationOptionAdded: loggedEvent({
    description: 'A room duration can be ordered from now on.',
    payload: DurationOption,
  }),
  durationOptionUpdated: loggedEvent({
    description: 'A room duration has another length or discount.',
    payload: DurationOption,
  }),
  durationOptionDeleted: loggedEvent({
    description: 'A room duration can no longer be ordered.',
    payload: v.object({ id: DurationOptionId }),
  }),
}

export const routes = {
  capacityOptions: route({
    ...readingOptions,
    description: 'The capacities that a room can be ordered with, the smallest first. `price` is in lira.',
    method: 'GET',
    path: '/root-admin/capacity-options',
    answer: v.array(CapacityOption),
  }),
  durationOptions: route({
    ...readingOptions,
    description: 'The durations that a room can be ordered for, the shortest first.',
    method: 'GET',
    path: '/root-admin/duration-options',
    answer: v.array(DurationOption),
  }),
  addCapacityOption: route({
    ...editingOptions,
    description: `Adds a room capacity, at most ${MAX_OPTIONS} of them. One of the same size is refused.`,
    method: 'POST',
    path: '/root-admin/capacity-options',
    input: v.object(capacityFields),
    answer: CapacityAnswer,
  }),
  updateCapacityOption: route({
    ...editingOptions,
    description: 'Changes a room capacity. Rooms that were ordered with it keep theirs.',
    method: 'PUT',
    path: '/root-admin/capacity-options/:id',
    input: v.object({ id: idText(CapacityOptionId), ...capacityFields }),
    answer: CapacityAnswer,
  }),
  deleteCapacityOption: route({
    ...editingOptions,
    description: 'Ends a room capacity. Rooms that were ordered with it keep theirs. A repeated call changes nothing.',
    method: 'DELETE',
    path: '/root-admin/capacity-options/:id',
    input: v.object({ id: idText(CapacityOptionId) }),
    answer: SuccessAnswer,
  }),
  addDurationOption: route({
    ...editingOptions,
    description: `Adds a room duration, at most ${MAX_OPTIONS} of them. One of the same length is refused.`,
    method: 'POST',
    path: '/root-admin/duration-options',
    input: v.object(durationFields),
    answer: DurationAnswer,
  }),
  updateDurationOption: route({
    ...editingOptions,
    description: 'Changes a room duration. Rooms that were ordered for it keep theirs.',
    method: 'PUT',
    path: '/root-admin/duration-options/:id',
    input: v.object({ id: idText(DurationOptionId), ...durationFields }),
    answer: DurationAnswer,
  }),
  deleteDurationOption: route({
    ...editingOptions,
    description: 'Ends a room duration. Rooms that were ordered for it keep theirs. A repeated call changes nothing.',
    method: 'DELETE',
    path: '/root-admin/duration-options/:id',
    input: v.object({ id: idText(DurationOptionId) }),
    answer: SuccessAnswer,
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { CapacityOption, DurationOption }
