import type { ReactNode } from 'react'
import { Modal } from '../ui/modal.tsx'
import { useLoaded } from '../ui/use-loaded.ts'
import { Figures, FiguresNote } from './figures.tsx'
import type { OverlayProps } from './open.ts'
import { loadStatus } from './status.ts'

/** 'Genel': how many people are on the site, of what kind, and whose site it is. */
export function SiteStatus({ onClose }: OverlayProps): ReactNode {
  const { again, ...site } = useLoaded(loadSite)
  return (
    <Modal title="Genel" onClose={onClose}>
      {site.state !== 'loaded' ? (
        <FiguresNote state={site.state} again={again} />
      ) : (
        <>
          <Figures label="Aktif kullanıcı" status={site.value} />
          <section className="facts">
            <h3>Sunucu Sahibi</h3>
            <p>{site.value.owner}</p>
          </section>
        </>
      )}
    </Modal>
  )
}

function loadSite() {
  return loadStatus()
}
