import type { CapacityOption, DurationOption } from '../../../shared/rooms/options-protocol.ts'
import { live } from '../../core/live/state.ts'
import { OptionStore } from '../wallet/option-store.ts'
import { fetchOptions } from '../wallet/options.ts'

/** The capacities that a room can be ordered with, the smallest first. */
export const capacityOptions = new OptionStore<CapacityOption>({
  fetchOptions: () => fetchOptions<'capacityOptions'>('/root-admin/capacity-options'),
  compare: (a, b) => a.numberOfPeople - b.numberOfPeople,
})
/** The durations that a room can be ordered for, the shortest first. */
export const durationOptions = new OptionStore<DurationOption>({
  fetchOptions: () => fetchOptions<'durationOptions'>('/root-admin/duration-options'),
  compare: (a, b) => a.durationInMonths - b.durationInMonths,
})

live.on('capacityOptionAdded', (option) => capacityOptions.put(option))
live.on('capacityOptionUpdated', (option) => capacityOptions.put(option))
live.on('capacityOptionDeleted', ({ id }) => capacityOptions.remove(id))
live.on('durationOptionAdded', (option) => durationOptions.put(option))
live.on('durationOptionUpdated', (option) => durationOptions.put(option))
live.on('durationOptionDeleted', ({ id }) => durationOptions.remove(id))
