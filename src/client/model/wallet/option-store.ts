import { useCallback, useEffect, useState } from 'react'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { LiveValue } from './live-value.ts'

/** How a kind of option is fetched and ordered. */
interface OptionSource<O> {
  /** null: it failed. */
  fetchOptions: () => Promise<readonly O[] | null>
  compare: (a: O, b: O) => number
  /** Whether the list has an option in this state; without it always. */
  isListed?: (option: O) => boolean
}

/** A list of options that root admins edit, kept current by events. null before the first load. */
export class OptionStore<O extends { id: number }> {
  readonly list: LiveValue<readonly O[] | null>
  private readonly source: OptionSource<O>

  constructor(source: OptionSource<O>) {
    this.source = source
    this.list = new LiveValue<readonly O[] | null>(null, source.fetchOptions)
  }

  /** Applies an added or changed option. */
  put(option: O): void {
    const { compare, isListed = () => true } = this.source
    this.list.update((known) => {
      if (known === null) return null
      const others = known.filter(({ id }) => id !== option.id)
      return isListed(option) ? [...others, option].sort(compare) : others
    })
  }

  remove(id: number): void {
    this.list.update((known) => known?.filter((option) => option.id !== id) ?? null)
  }
}

/** A value that is loaded when the component is first shown. */
export function useLiveValue<T>(live: LiveValue<T>): { value: T; isFailed: boolean; reload: () => void } {
  const value = useSignalValue(live.value, live.value.peek())
  const [isFailed, setFailed] = useState(false)
  const reload = useCallback(() => {
    setFailed(false)
    void live.load().then((isLoaded) => setFailed(!isLoaded))
  }, [live])
  useEffect(reload, [reload])
  return { value, isFailed, reload }
}
