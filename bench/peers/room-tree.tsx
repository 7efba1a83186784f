import { renderToString } from 'react-dom/server'
import { App } from '../../src/client/page/routes/_app.tsx'
import { Frame, Page } from '../../src/client/page/routes/room/[id].tsx'
import type { RoomPageProps } from '../../src/shared/rooms/page-props.ts'

/** Renders shell, frame and room as one tree, with islands as plain components (build-tree.ts). */
export function renderRoom(page: RoomPageProps): string {
  const main = (
    <main>
      <Page {...page} />
    </main>
  )
  return renderToString(<App session={{ user: page.viewer, token: '' }} main={<Frame {...page} main={main} />} />)
}
