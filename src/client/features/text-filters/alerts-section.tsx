import { type ReactNode, useState } from 'react'
import type { Alert } from '../../../shared/text-filters/alerts-protocol.ts'
import { ALERTS_LABEL, alertTexts } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { AlertCard } from './alert-card.tsx'
import { type AlertState, alertLists } from './alert-lists.ts'
import './text-filters.later.css'

const TABS_ID = 'alert-tabs'
const tabs = [
  { tab: 'open', label: alertTexts.open },
  { tab: 'handled', label: alertTexts.handled },
] as const

/** 'Uyarılar': what root admins should look at, open and handled. */
export function AlertsSection(): ReactNode {
  const [state, setState] = useState<AlertState>('open')
  return (
    <div className="filters">
      <Tabs isSticky label={ALERTS_LABEL} id={TABS_ID} tabs={tabs} shown={state} onSelect={setState} />
      <div {...tabPanelProps(TABS_ID, state)} className="filter-panel">
        <AlertList key={state} state={state} />
      </div>
    </div>
  )
}

function AlertList({ state }: { state: AlertState }): ReactNode {
  const { list, load } = alertLists[state]
  const shown = useSignalValue(list, null)
  return (
    <PagedList<Alert, number>
      list={shown}
      load={load}
      empty={state === 'open' ? alertTexts.noneOpen : alertTexts.noneHandled}
      row={(alert) => <AlertCard key={alert.id} alert={alert} />}
      isEndless
    />
  )
}
