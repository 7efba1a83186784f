import type { ReactNode } from 'react'
import { Modal } from '../ui/modal.tsx'
import { useLoaded } from '../ui/use-loaded.ts'
import { LoadNote, StatList } from './figures.tsx'
import type { OverlayProps } from './open.ts'
import { loadStatus } from './status.ts'

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
