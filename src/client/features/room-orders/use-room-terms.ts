import { useEffect, useState } from 'react'
import type { CapacityOption, DurationOption } from '../../../shared/rooms/options-protocol.ts'
import { roomPrice } from '../../../shared/rooms/rules.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { capacityOptions, durationOptions } from '../../model/rooms/room-options.ts'
import { useLiveValue } from '../../model/wallet/option-store.ts'
import { OPTIONS_NOT_LOADED_TEXT } from '../../model/wallet/texts.ts'

/** The choice of a list's option. */
export interface Choice<O> {
  /** null while they load. */
  options: readonly O[] | null
  /** The chosen option, at first the preselected one; null when it is gone. */
  option: O | null
  choose: (id: number) => void
  /** Keeps the preselected option when the list changes; called when its step is left. */
  settle: () => void
}

export interface RoomTerms {
  duration: Choice<DurationOption>
  capacity: Choice<CapacityOption>
  /** Loads the lists again. */
  reload: () => void
  isFailed: boolean
  /** The price in lira; null without a choice. */
  price: (isList: boolean) => number | null
}

/** The options of an order or a renewal. Opening fetches both lists and preselects the first of each, or that of `capacity`. */
export function useRoomTerms(presentCapacity?: number): RoomTerms {
  const durations = useLiveValue(durationOptions.list)
  const capacities = useLiveValue(capacityOptions.list)
  const duration = useChoice(durations.value)
  const capacity = useChoice(capacities.value, ({ numberOfPeople }) => numberOfPeople === presentCapacity)
  const isFailed = durations.isFailed || capacities.isFailed
  useEffect(() => {
    if (isFailed) void toast(OPTIONS_NOT_LOADED_TEXT, 'error')
  }, [isFailed])
  const reload = (): void => {
    durations.reload()
    capacities.reload()
  }
  const price = (isList: boolean): number | null =>
    duration.option && capacity.option && roomPrice(capacity.option, duration.option, isList)
  return { duration, capacity, reload, isFailed, price }
}

function useChoice<O extends { id: number }>(
  options: readonly O[] | null,
  isPreselected: (option: O) => boolean = () => false,
): Choice<O> {
  const [chosenId, choose] = useState<number | null>(null)
  const preselected = options?.find(isPreselected) ?? options?.[0]
  const option = (chosenId === null ? preselected : options?.find(({ id }) => id === chosenId)) ?? null
  return { options, option, choose, settle: () => option && choose(option.id) }
}
