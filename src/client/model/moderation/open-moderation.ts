import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { ModerationSectionName, ModerationSectionParameters } from './moderation-section.ts'

/** Opens 'Moderasyon' at a section, for its parameter if one is given. */
export function openModerationSection<N extends ModerationSectionName>(
  section: N,
  parameter?: ModerationSectionParameters[N],
): Promise<void> {
  return openOverlay('moderationScreen', { section, parameter })
}
