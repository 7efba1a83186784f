import type { ReactNode } from 'react'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Modal } from '../ui/dialogs/modal.tsx'
import { useLoaded } from '../ui/lists/use-loaded.ts'
import { loadStatus } from './load-status.ts'
import { LoadNote, StatList } from './stats.tsx'

/** 'Genel': how many people are on the site, of what kind, and whose site it is. */
export function SiteStatusModal({ onClose }: OverlayProps): ReactNode {
  const { again, ...site } = useLoaded(loadSiteStatus)
  return (
    <Modal title="Genel" onClose={onClose}>
      {site.state !== 'loaded' ? (
        <LoadNote state={site.state} again={again} />
      ) : (
        <>
          <StatList label="Aktif kullanıcı" status={site.value} />
          <section className="facts">
            <h3>Sunucu Sahibi</h3>
            <p>{site.value.owner}</p>
          </section>
        </>
      )}
    </Modal>
  )
}

function loadSiteStatus() {
  return loadStatus()
}
