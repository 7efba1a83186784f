import type { ReactNode } from 'react'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import { loadStatus } from '../../model/site-status/load-status.ts'
import { LoadNote, StatList } from '../../model/site-status/stats.tsx'

/** 'Genel': how many people are on the site, by gender and device, and the site's owner. */
export function SiteStatusModal({ onClose }: OverlayProps): ReactNode {
  const { reload, ...site } = useLoaded(loadSiteStatus)
  return (
    <Modal title="Genel" onClose={onClose}>
      {site.state !== 'loaded' ? (
        <LoadNote state={site.state} reload={reload} />
      ) : (
        <>
          <StatList label="Aktif kullanıcı" status={site.value} />
          <section className="stat-rows">
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
