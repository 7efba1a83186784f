import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { ActionFilter } from '../../../shared/audit/protocol.ts'
import { NEW_ACTIONS_TEXT, NO_ACTIONS_TEXT, NO_MATCHING_ACTIONS_TEXT } from '../../../shared/audit/texts.ts'
import { live } from '../../core/live/state.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { ReloadIcon } from '../../core/ui/lazy-icons.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import type { ModerationSectionProps } from '../../model/moderation/moderation-section.ts'
import { ActionFilterForm } from './action-filter-form.tsx'
import { ActionList } from './action-list.ts'
import { ActionRow } from './action-row.tsx'
import { fetchActions } from './fetch-actions.ts'
import './audit.later.css'

/** 'Hareketler' of 'Moderasyon': what root admins, room admins and the server did. */
export function ActionsSection({ parameter }: ModerationSectionProps<'actions'>): ReactNode {
  const [filter, setFilter] = useState<ActionFilter>(parameter ?? {})
  return (
    <div className="actions">
      <ActionFilterForm filter={filter} onChange={setFilter} />
      <Actions key={JSON.stringify(filter)} filter={filter} />
    </div>
  )
}

function Actions({ filter }: { filter: ActionFilter }): ReactNode {
  const actions = useMemo(() => new ActionList((before) => fetchActions(filter, before)), [filter])
  const list = useSignalValue(actions.page, null)
  const hasNew = useSignalValue(actions.hasNew, false)
  useEffect(() => actions.follow(live), [actions])
  return (
    <>
      <div role="status">
        {hasNew && (
          <button type="button" className="button wide" onClick={() => void actions.load(null)}>
            <ReloadIcon size={18} />
            {NEW_ACTIONS_TEXT}
          </button>
        )}
      </div>
      <PagedList
        list={list}
        load={(before) => actions.load(before)}
        empty={Object.keys(filter).length === 0 ? NO_ACTIONS_TEXT : NO_MATCHING_ACTIONS_TEXT}
        isEndless
        row={(action) => <ActionRow key={action.id} action={action} />}
      />
    </>
  )
}
