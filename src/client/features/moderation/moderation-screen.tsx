import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { MODERATION_LABEL } from '../../../shared/moderation/rules.ts'
import { useLazy } from '../../core/loading/use-lazy.ts'
import { useCloseOnBack } from '../../core/navigation/use-close-on-back.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { CountBadge } from '../../core/ui/count-badge.tsx'
import { useFocusOnChange } from '../../core/ui/dialogs/use-focus-on-change.ts'
import { useModal } from '../../core/ui/dialogs/use-modal.ts'
import { ArrowIcon, ChevronIcon, CloseIcon } from '../../core/ui/lazy-icons.tsx'
import { ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { useMediaQuery } from '../../core/ui/use-media-query.ts'
import {
  type ModerationSection,
  type ModerationSectionName,
  moderationSections,
} from '../../model/moderation/moderation-section.ts'
import { type SectionPage, SectionPageContext } from '../../model/moderation/section-page.ts'
import '../../core/ui/dialogs/modal.css'
import '../../core/ui/panel.css'
import './moderation-screen.lazy.css'

/** From this width the list of sections stays beside the open one. moderation-screen.lazy.css has the same width. */
const WIDE_QUERY = '(min-width: 860px)'

interface ModerationScreenProps extends OverlayProps {
  /** The section to open; without it, the list on a phone and the first section on wider screens. */
  section?: ModerationSectionName
  /** As `ModerationSectionParameters` says for the section; `openModerationSection` checks it. */
  parameter?: unknown
}

/** 'Moderasyon', for root admins: the sections of all features. */
export function ModerationScreen({ section: opened, parameter, onClose }: ModerationScreenProps): ReactNode {
  const isWide = useMediaQuery(WIDE_QUERY, true)
  const [chosen, choose] = useState<{ name: ModerationSectionName; parameter?: unknown } | null>(
    opened ? { name: opened, parameter } : null,
  )
  const [page, showPage] = useState<SectionPage | null>(null)
  const first = isWide ? moderationSections.all[0] : undefined
  const shown = moderationSections.all.find(({ name }) => name === chosen?.name) ?? first ?? null
  const leaveSection = (): void => choose(null)
  const leave = page?.leave ?? (isWide || !shown ? onClose : leaveSection)
  const dialog = useRef<HTMLDialogElement>(null)
  const content = useFocusOnChange(isWide ? null : shown)
  useModal(dialog, leave, onClose)
  useCloseOnBack(leaveSection, !isWide && shown !== null)
  useCloseOnBack(() => page?.leave(), page !== null)
  const list = <SectionList shown={shown} choose={(name) => choose({ name })} isWide={isWide} />
  return (
    <dialog ref={dialog} className="modal moderation" aria-label={MODERATION_LABEL}>
      <div className="moderation-body">
        {isWide && (
          <div className="moderation-side">
            <p className="panel-title">{MODERATION_LABEL}</p>
            {list}
          </div>
        )}
        <div className="moderation-main">
          <Head
            title={page?.title ?? shown?.label ?? MODERATION_LABEL}
            back={leave === onClose ? null : leave}
            onClose={onClose}
          />
          <div ref={content} className="panel-scroll moderation-content" tabIndex={-1}>
            {shown ? (
              <SectionPageContext value={showPage}>
                <LoadedSection key={shown.name} section={shown} parameter={chosen?.parameter} />
              </SectionPageContext>
            ) : (
              list
            )}
          </div>
        </div>
      </div>
    </dialog>
  )
}

interface HeadProps {
  title: string
  /** Leaves what is shown; null when that closes the dialog. */
  back: (() => void) | null
  onClose: () => void
}

function Head({ title, back, onClose }: HeadProps): ReactNode {
  return (
    <header className="panel-head">
      {back && (
        <button type="button" className="icon-button" aria-label="Geri" onClick={back}>
          <ArrowIcon />
        </button>
      )}
      <h2 className="panel-title grow">
        <bdi className="truncate">{title}</bdi>
      </h2>
      <button type="button" className="icon-button" aria-label="Kapat" onClick={onClose}>
        <CloseIcon />
      </button>
    </header>
  )
}

interface SectionListProps {
  shown: ModerationSection | null
  choose: (name: ModerationSectionName) => void
  isWide: boolean
}

function SectionList({ shown, choose, isWide }: SectionListProps): ReactNode {
  return (
    <nav aria-label="Bölümler">
      <ul className="stack gap-half">
        {moderationSections.all.map(({ name, order, label, icon: Icon, badge }) => (
          <li key={name}>
            <button
              type="button"
              className="row-button wide moderation-row"
              data-section={order}
              aria-current={shown?.name === name ? 'page' : undefined}
              onClick={() => choose(name)}
            >
              <Icon />
              <span className="grow">{label}</span>
              {badge && <CountBadge badge={badge} />}
              {!isWide && <ChevronIcon size={18} />}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function LoadedSection({ section, parameter }: { section: ModerationSection; parameter: unknown }): ReactNode {
  // `openModerationSection` has checked the parameter against the section.
  const part = useLazy(section.load as () => Promise<{ component: ComponentType<{ parameter: unknown }> }>)
  return part ? <part.component parameter={parameter} /> : <ListLoading />
}
