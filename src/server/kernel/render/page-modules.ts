import type * as NotFound from '../../../client/page/routes/_404.tsx'
import type * as Failed from '../../../client/page/routes/_error.tsx'
import type * as Legal from '../../../client/page/routes/_legal.tsx'
import type * as Maintenance from '../../../client/page/routes/_maintenance.tsx'
import type * as RoomLanding from '../../../client/page/routes/_room-landing.tsx'
import type * as RoomPassword from '../../../client/page/routes/_room-password.tsx'
import type * as Landing from '../../../client/page/routes/index.tsx'
import type * as Room from '../../../client/page/routes/room/[id].tsx'

/** Every page by its file below `src/client/page/routes`; a test compares the list with the folder. */
export interface PageModules {
  index: typeof Landing
  'room/[id]': typeof Room
  _error: typeof Failed
  _404: typeof NotFound
  _legal: typeof Legal
  _maintenance: typeof Maintenance
  '_room-password': typeof RoomPassword
  '_room-landing': typeof RoomLanding
}

export type PageName = keyof PageModules

/** What a page is rendered from: the props of its `Page` component. */
export type PageProps<N extends PageName> =
  Parameters<PageModules[N]['Page']> extends [infer P extends object, ...unknown[]] ? P : Record<string, never>
