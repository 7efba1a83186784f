import { type ReactNode, useId } from 'react'
import { useLazy } from '../../../core/loading/use-lazy.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { Sheet } from '../../../core/ui/dialogs/sheet.tsx'
import { ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import { type OptionSection, optionSections } from '../../../model/wallet/option-section.ts'
import './options-screen.lazy.css'

/** 'Seçenekler', for root admins: the sections of all features, such as prices and amounts. */
export function OptionsScreen({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  return (
    <Sheet title="Seçenekler" titleId={titleId} side="whole" onClose={onClose}>
      <div className="panel-scroll">
        <div className="options-screen">
          {optionSections.all.map((section) => (
            <Section key={section.order} section={section} />
          ))}
        </div>
      </div>
    </Sheet>
  )
}

function Section({ section: { title, hint, load } }: { section: OptionSection }): ReactNode {
  const titleId = useId()
  const part = useLazy(load)
  return (
    <section className="stack" aria-labelledby={titleId}>
      <h3 id={titleId} className="large">
        {title}
      </h3>
      <p className="soft small">{hint}</p>
      {part ? <part.component /> : <ListLoading />}
    </section>
  )
}
