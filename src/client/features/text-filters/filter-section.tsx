import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { FILTER_LABEL, filterTexts, hitActionLabels } from '../../../shared/text-filters/screen-texts.ts'
import { CountBadge } from '../../core/ui/count-badge.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { EntriesPanel } from './entries-panel.tsx'
import { heldTextsBadge } from './open-counts.ts'
import './text-filters.lazy.css'
import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { MAX_LINK_MIN_DAYS } from '../../../shared/text-filters/limits.ts'
import type { FilterHit, HeldText, LinkRuleSetting, ShownPlace } from '../../../shared/text-filters/protocol.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { ListFailure, ListLoading, PagedList } from '../../core/ui/lists/paged-list.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import { QuotedText } from '../../core/ui/quoted-text.tsx'
import { linesOf, TextField } from './entry-form.tsx'
import { decideHeldText, heldTextList, hitList, readHeldText } from './filter-lists.ts'
import { PersonButton, PlaceText, TimeText } from './subject-line.tsx'

interface FilteredTextCardProps {
  user: UserSummary
  place: ShownPlace
  at: number
  /** The text, or a button that shows it. */
  text: ReactNode
  /** What the filter has found. */
  note: ReactNode
  /** Buttons. */
  actions?: ReactNode
}

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

/** What the filter matched, the latest first. */
function HitsPanel(): ReactNode {
  return (
    <PagedList list={hitList} empty={filterTexts.noHits} row={(hit) => <HitCard key={hit.id} hit={hit} />} isEndless />
  )
}

function HitCard({ hit: { user, place, at, action, pattern, word, excerpt } }: { hit: FilterHit }): ReactNode {
  return (
    <FilteredTextCard
      user={user}
      place={place}
      at={at}
      text={<QuotedText text={excerpt ?? word} />}
      note={
        <>
          {hitActionLabels[action]} · <bdi>{pattern}</bdi>
        </>
      }
    />
  )
}

/** The texts that wait for review, the earliest first. */
function HeldTextsPanel(): ReactNode {
  return (
    <PagedList
      list={heldTextList}
      empty={filterTexts.noHeld}
      row={(held) => <HeldTextCard key={held.id} held={held} />}
      isEndless
    />
  )
}

function HeldTextCard({ held }: { held: HeldText }): ReactNode {
  const { id, user, place, pattern, word, at, hasFile } = held
  const [isBusy, setBusy] = useState(false)
  const decide = async (decision: 'release' | 'discard'): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await decideHeldText(id, decision))) setBusy(false)
  }
  return (
    <FilteredTextCard
      user={user}
      place={place}
      at={at}
      text={<HeldContent held={held} />}
      note={
        <>
          Filtredeki söz: <bdi>{pattern}</bdi> (<bdi>{word}</bdi>){hasFile && ` · ${filterTexts.withFile}`}
        </>
      }
      actions={
        <>
          <button
            type="button"
            className="button button--danger"
            aria-disabled={isBusy}
            onClick={() => void decide('discard')}
          >
            {filterTexts.discard}
          </button>
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void decide('release')}>
            {filterTexts.release}
          </button>
        </>
      }
    />
  )
}

/** The text; that of a direct message is loaded by a click, which the action log records. */
function HeldContent({ held }: { held: HeldText }): ReactNode {
  const [text, setText] = useState(held.text)
  if (text !== null) return <QuotedText text={text} />
  return (
    <div className="toolbar">
      <button type="button" className="button" onClick={async () => setText(await readHeldText(held.id))}>
        {filterTexts.show}
      </button>
      <span className="soft small">{filterTexts.showHint}</span>
    </div>
  )
}

/** A text that the filter has matched: who wrote it where and when, and what was found. */
function FilteredTextCard({ user, place, at, text, note, actions }: FilteredTextCardProps): ReactNode {
  return (
    <li className="card stack gap-3">
      <div className="filter-subject soft small">
        <PersonButton user={user} />
        <PlaceText place={place} />
        <TimeText at={at} />
      </div>
      {text}
      <p className="soft small">{note}</p>
      {actions && <div className="filter-actions">{actions}</div>}
    </li>
  )
}

/** Who may send links; it follows what other root admins save until something is typed. */
function LinkRulePanel(): ReactNode {
  const [version, setVersion] = useState(0)
  useEffect(() => live.on('textFilterChanged', ({ part }) => part === 'linkRule' && setVersion((last) => last + 1)), [])
  return <LoadedLinkRule key={version} />
}

function LoadedLinkRule(): ReactNode {
  const { state, value, reload } = useLoaded(fetchLinkRule)
  if (state === 'failed') return <ListFailure reason={filterTexts.notLoaded} reload={reload} />
  return value ? <LinkRuleForm rule={value} /> : <ListLoading />
}

async function fetchLinkRule(): Promise<LinkRuleSetting> {
  const answer = await callApi<'linkRule'>('/moderation/link-rule', { as: 'admin' })
  if (isFailure(answer)) throw new Error('the rule of links was not loaded')
  return answer
}

function LinkRuleForm({ rule }: { rule: LinkRuleSetting }): ReactNode {
  const [days, setDays] = useState(String(rule.minDays))
  const [guestsMayLink, setGuestsMayLink] = useState(rule.guestsMayLink)
  const [hosts, setHosts] = useState(rule.allowedHosts.join('\n'))
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const minDays = Math.min(Math.max(Math.trunc(Number(days)) || 0, 0), MAX_LINK_MIN_DAYS)
    const body = { minDays, guestsMayLink, allowedHosts: linesOf(hosts) }
    const answer = await callApi<'changeLinkRule'>('/moderation/link-rule', { as: 'admin', method: 'PUT', body })
    setBusy(false)
    setProblem(isFailure(answer) ? failureText(answer, filterTexts.notSaved) : null)
    if (isFailure(answer)) return
    setDays(String(answer.minDays))
    setHosts(answer.allowedHosts.join('\n'))
    void toast(filterTexts.linkRuleSaved, 'success')
  }
  return (
    <form className="card stack gap-5 filter-form" noValidate onSubmit={submit}>
      <TextField
        label={filterTexts.minDays}
        hint={filterTexts.minDaysHint}
        value={days}
        rows={1}
        onType={(text) => setDays(text.replace(/\D/g, '').slice(0, 3))}
      />
      <label>
        <input type="checkbox" checked={guestsMayLink} onChange={({ target }) => setGuestsMayLink(target.checked)} />
        {filterTexts.guestsMayLink}
      </label>
      <TextField label={filterTexts.allowedHosts} value={hosts} rows={4} onType={setHosts} />
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className="filter-actions">
        <button type="submit" className="button button--accent" aria-disabled={isBusy}>
          {isBusy && <span className="spinner" />}
          Kaydet
        </button>
      </div>
    </form>
  )
}
