import { showOverlayOnTop } from '../core/shell/overlays/overlay-root.tsx'
import type { OverlayName, OverlayRegistration } from '../core/shell/overlays/overlays.ts'
import { overlays as accounts } from '../features/accounts/overlays.ts'
import { overlays as audit } from '../features/audit/overlays.ts'
import { overlays as directMessages } from '../features/direct-messages/overlays.ts'
import { overlays as gifts } from '../features/gifts/overlays.ts'
import { overlays as moderation } from '../features/moderation/overlays.ts'
import { overlays as posts } from '../features/posts/overlays.ts'
import { overlays as profiles } from '../features/profiles/overlays.ts'
import { overlays as relations } from '../features/relations/overlays.ts'
import { overlays as reports } from '../features/reports/overlays.ts'
import { overlays as roomEntry } from '../features/room-entry/overlays.ts'
import { overlays as roomOrders } from '../features/room-orders/overlays.ts'
import { overlays as rooms } from '../features/rooms/overlays.ts'
import { overlays as sanctions } from '../features/sanctions/overlays.ts'
import { overlays as settings } from '../features/settings/overlays.ts'
import { overlays as siteStatus } from '../features/site-status/overlays.ts'
import { overlays as textFilters } from '../features/text-filters/overlays.ts'
import { overlays as wallet } from '../features/wallet/overlays.ts'
import { MediaViewer } from '../model/conversation/media/media-viewer.tsx'
import { AllRoomsSheet } from './all-rooms-sheet.tsx'

/** The overlays of the page and of all features, in one chunk: most users open several of them. */
export const overlays = {
  /** 'Tüm Odalar'. */
  allRooms: { component: AllRoomsSheet, access: 'everyone' },
  /** The pictures and videos of a conversation. */
  mediaViewer: { component: MediaViewer, access: 'everyone' },
  ...accounts,
  ...audit,
  ...directMessages,
  ...gifts,
  ...moderation,
  ...posts,
  ...profiles,
  ...relations,
  ...reports,
  ...roomEntry,
  ...roomOrders,
  ...rooms,
  ...sanctions,
  ...settings,
  ...siteStatus,
  ...textFilters,
  ...wallet,
} satisfies Record<string, OverlayRegistration>

type AllOverlays = typeof overlays

// `openOverlay` checks the name and the input by this type: the shell cannot import what features export.
declare module '../core/shell/overlays/overlays.ts' {
  interface OverlayRegistry extends AllOverlays {}
}

/** Shows an overlay on top of the open ones, at once: Esc and Back reach it from now on. */
export function showOverlay(name: OverlayName, input: object): void {
  showOverlayOnTop(overlays[name], input)
}
