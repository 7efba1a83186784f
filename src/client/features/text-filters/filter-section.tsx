import { type ReactNode, useState } from 'react'
import { FILTER_LABEL, filterTexts } from '../../../shared/text-filters/screen-texts.ts'
import { CountBadge } from '../../core/ui/count-badge.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { EntriesPanel } from './entries-panel.tsx'
import { HeldTextsPanel } from './held-texts-panel.tsx'
import { HitsPanel } from './hits-panel.tsx'
import { LinkRulePanel } from './link-rule-panel.tsx'
import { heldTextsBadge } from './open-counts.ts'
import './text-filters.later.css'

const TABS_ID = 'filter-tabs'
const panels = { entries: EntriesPanel, held: HeldTextsPanel, links: LinkRulePanel, hits: HitsPanel }

const tabs = [
  { tab: 'entries', label: filterTexts.entries },
  {
    tab: 'held',
    label: (
      <>
        {filterTexts.held}
        <CountBadge badge={heldTextsBadge} />
      </>
    ),
  },
  { tab: 'links', label: filterTexts.links },
  { tab: 'hits', label: filterTexts.hits },
] as const

/** 'Kelime Filtresi': the entries, waiting texts, the rule of links, and what the filter matched. */
export function FilterSection(): ReactNode {
  const [shown, show] = useState<keyof typeof panels>('entries')
  const Panel = panels[shown]
  return (
    <div className="filters">
      <Tabs isSticky label={FILTER_LABEL} id={TABS_ID} tabs={tabs} shown={shown} onSelect={show} />
      <div {...tabPanelProps(TABS_ID, shown)} className="filter-panel">
        <Panel />
      </div>
    </div>
  )
}
