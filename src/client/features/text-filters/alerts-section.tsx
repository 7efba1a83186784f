import { type ReactNode, useState } from 'react'
import type { Alert } from '../../../shared/text-filters/alerts-protocol.ts'
import { ALERTS_LABEL, alertKindLabels, alertTexts } from '../../../shared/text-filters/screen-texts.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { type AlertState, alertLists, setAlertHandled } from './alert-lists.ts'
import './text-filters.lazy.css'
import { QuotedText } from '../../core/ui/quoted-text.tsx'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import { PersonButton, PlaceText, TimeText } from './subject-line.tsx'

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
  const alerts = alertLists[state]
  return (
    <PagedList
      list={alerts}
      empty={state === 'open' ? alertTexts.noneOpen : alertTexts.noneHandled}
      row={(alert) => <AlertCard key={alert.id} alert={alert} />}
      isEndless
    />
  )
}

/** An alert with links to what it is about, and a button that handles it or opens it again. */
function AlertCard({ alert }: { alert: Alert }): ReactNode {
  const { id, kind, count, latestAt, handledAt, handledBy } = alert
  const [isBusy, setBusy] = useState(false)
  const person = alert.kind === 'word' ? alert.user : alert.accounts[0]
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await setAlertHandled(id, handledAt === null)
    setBusy(false)
  }
  return (
    <li className="card stack gap-3">
      <div className="filter-subject">
        <b>{alertKindLabels[kind]}</b>
        {count > 1 && <span className="tag">{count} kez</span>}
        <TimeText at={latestAt} />
      </div>
      {alert.kind === 'word' ? <WordSubject alert={alert} /> : <FloodSubject alert={alert} />}
      {handledBy !== null && handledAt !== null && (
        <p className="soft small">
          Kapatan: <bdi>{handledBy}</bdi>, <TimeText at={handledAt} />
        </p>
      )}
      <div className="filter-actions">
        <button
          type="button"
          className="button"
          onClick={() => person && void openModerationSection('linkedAccounts', { username: person.username })}
        >
          {alertTexts.linkedAccounts}
        </button>
        <button type="button" className="button" aria-disabled={isBusy} onClick={press}>
          {isBusy && <span className="spinner" />}
          {handledAt === null ? alertTexts.close : alertTexts.reopen}
        </button>
      </div>
    </li>
  )
}

function WordSubject({ alert }: { alert: Extract<Alert, { kind: 'word' }> }): ReactNode {
  const { user, place, pattern, word, excerpt } = alert
  return (
    <>
      <p className="filter-subject soft small">
        <PersonButton user={user} />
        <PlaceText place={place} />
      </p>
      <QuotedText text={excerpt ?? word} />
      <p className="soft small">
        Filtredeki söz: <bdi>{pattern}</bdi>
      </p>
    </>
  )
}

function FloodSubject({ alert }: { alert: Exclude<Alert, { kind: 'word' }> }): ReactNode {
  const { accounts, accountCount, messageCount, sample, since, latestAt } = alert
  return (
    <>
      <p className="soft small">
        {accountCount} hesap, {messageCount} mesaj, <TimeText at={since} /> – <TimeText at={latestAt} />
      </p>
      <div className="filter-subject">
        {accounts.map((user) => (
          <PersonButton key={user.id} user={user} />
        ))}
      </div>
      {sample !== null && <QuotedText text={sample} />}
    </>
  )
}
