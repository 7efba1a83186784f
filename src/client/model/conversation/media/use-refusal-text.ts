import { useMemo } from 'react'
import type { MediaType } from '../../../../shared/media/media.ts'
import { computed } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import type { ConversationFiles } from './conversation-files.ts'

/** Why files of a type, or of any type, may not be sent now, in Turkish; null where they may. */
export function useRefusalText(files: ConversationFiles, mediaType?: MediaType): string | null {
  const text = useMemo(
    () => computed(() => (mediaType ? (files.check(mediaType)?.body.message ?? null) : files.refusalText())),
    [files, mediaType],
  )
  return useSignalValue(text, null)
}
