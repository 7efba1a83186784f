import { renderToString } from 'react-dom/server'
import { App } from '../../src/client/routes/_app.tsx'
import { Page } from '../../src/client/routes/room/[id].tsx'
import type { RoomPage } from '../../src/shared/rooms/page.ts'

/** The shell and the room in one tree, rendered in one go: its islands are plain components here (build-tree.ts). */
export function renderRoom(page: RoomPage): string {
  const session = { user: page.viewer, token: '' }
  return renderToString(
    <App
      session={session}
      main={
        <main>
          <Page {...page} />
        </main>
      }
    />,
  )
}
