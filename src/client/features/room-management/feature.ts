import {
  ADMINS_LABEL,
  BACKGROUND_LABEL,
  GREETING_LABEL,
  SLOW_MODE_LABEL,
  VISITORS_LABEL,
} from '../../../shared/room-management/texts.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { SmileIcon } from '../../core/ui/composer-icons.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { ClockIcon } from '../../core/ui/icons.tsx'
import { EveryoneIcon, PeopleIcon, PictureIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { refetchShownRoom } from '../../model/room-chat/refetch-room.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { type Background, backgroundSources } from '../../model/rooms/room-background.tsx'
import { roomSubscription } from '../../model/rooms/state.ts'
import { EntryGreeting } from './entry-greeting.ts'
import { RoomSync } from './room-sync.ts'
import { slowModeLabel } from './slow-mode-labels.ts'

export const feature: ClientFeature = {
  start,
  roomManagementSections: [
    {
      order: 10,
      label: ADMINS_LABEL,
      icon: PeopleIcon,
      access: 'owner',
      summarise: ({ room }) => countText(room.Admins.length),
      load: async () => ({ component: (await import('./admins-section.tsx')).AdminsSection }),
    },
    {
      order: 22,
      label: GREETING_LABEL,
      icon: SmileIcon,
      access: 'staff',
      summarise: ({ room }) => room.greetingMessage ?? 'Yok',
      load: async () => ({ component: (await import('./greeting-section.tsx')).GreetingSection }),
    },
    {
      order: 24,
      label: BACKGROUND_LABEL,
      icon: PictureIcon,
      access: 'staff',
      summarise: ({ room }) => (room.backgroundImage === null ? 'Yok' : 'Var'),
      load: async () => ({ component: (await import('./background-section.tsx')).BackgroundSection }),
    },
    {
      order: 35,
      label: SLOW_MODE_LABEL,
      icon: ClockIcon,
      access: 'staff',
      summarise: ({ room }) => slowModeLabel(room.slowModeSeconds),
      load: async () => ({ component: (await import('./slow-mode-section.tsx')).SlowModeSection }),
    },
    {
      order: 70,
      label: VISITORS_LABEL,
      icon: EveryoneIcon,
      access: 'staff',
      load: async () => ({ component: (await import('./visitors-section.tsx')).VisitorsSection }),
    },
  ],
}

/** Follows the shown room's settings and the viewer's rights in it, and greets the viewer on entering. */
function start(): void {
  const deps = { live, conversations: roomConversations, session, toast, showBackground }
  replayMissed(
    live,
    () => new RoomSync(deps),
    (sync) => refetchShownRoom((room) => sync.applySettings({ roomId: room.id, ...room })),
  )
  const loadCard = () => loadLazy(() => import('./greeting-card.tsx'))
  const greeting = new EntryGreeting(browserEnvironment.tabStorage, loadCard, isThreadStartShown)
  roomSubscription.addListener({ onPageOpened: ({ room }) => greeting.onPageOpened(room) })
}

/** Whether the start of the messages, which has the greeting, is on the screen. */
function isThreadStartShown(): boolean {
  const [start, thread] = ['.thread-start', '.thread'].map((part) => document.querySelector(part))
  return start && thread ? start.getBoundingClientRect().top >= thread.getBoundingClientRect().top : false
}

/** Replaces the background of the shown room, which the server has rendered, or removes it. */
function showBackground(background: Background): void {
  const main = document.querySelector('.room-frame > main')
  const sources = backgroundSources(background)
  const shown = main?.querySelector('.room-background') ?? null
  if (!sources) shown?.remove()
  else if (shown?.getAttribute('src') !== sources.src) {
    const image = Object.assign(document.createElement('img'), { className: 'room-background', alt: '', ...sources })
    shown?.remove()
    main?.prepend(image)
  }
}
