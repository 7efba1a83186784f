import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { MAX_LINK_MIN_DAYS } from '../../../shared/text-filters/limits.ts'
import type { LinkRuleSetting } from '../../../shared/text-filters/protocol.ts'
import { filterTexts } from '../../../shared/text-filters/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import { linesOf, TextField } from './entry-form.tsx'

/** Who may send links; it follows what other root admins save until something is typed. */
export function LinkRulePanel(): ReactNode {
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
      <label className="filter-check">
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
