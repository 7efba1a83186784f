import { OWN_ROOMS_LABEL } from '../../../shared/room-orders/texts.ts'
import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'

export const panels = {
  ownRooms: {
    title: OWN_ROOMS_LABEL,
    load: async () => (await import('./own-rooms-panel.tsx')).OwnRoomsPanel,
  },
} satisfies Record<string, PanelRegistration>

type RoomOrderPanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends RoomOrderPanels {}
}
