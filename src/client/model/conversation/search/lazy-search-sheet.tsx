import { type ReactNode, useEffect, useState } from 'react'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import type { SearchSheetProps } from './search-sheet.tsx'

/** The search sheet, which is loaded when one is opened first. It closes when that fails. */
export function LazySearchSheet(props: SearchSheetProps): ReactNode {
  const { onClose } = props
  const [loaded, setLoaded] = useState<typeof import('./search-sheet.tsx') | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it loads once
  useEffect(() => {
    showLoadingWhile(import('./search-sheet.tsx')).then(setLoaded, (error) => {
      toastLoadFailure(error)
      onClose()
    })
  }, [])
  return loaded && <loaded.SearchSheet {...props} />
}
