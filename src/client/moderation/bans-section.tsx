import type { ReactNode } from 'react'
import { linkedTexts } from '../../shared/text-filters/screen-texts.ts'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { BanRow, NO_BANS_TEXT } from './ban-row.tsx'
import { banList, loadBans, requestBanLift } from './bans.ts'
import { openModerationSection } from './open-moderation.ts'
import './moderation.css'

/** 'Yasaklar': the present bans, each with its reason, end and author, and a button that lifts it. */
export function BansSection(): ReactNode {
  const list = useSignalValue(banList, null)
  return (
    <div className="bans">
      <PagedList
        list={list}
        load={loadBans}
        empty={NO_BANS_TEXT}
        row={(ban) => (
          <BanRow key={ban.id} ban={ban} lift={() => requestBanLift({ id: ban.userId, username: ban.username })} />
        )}
      />
      <button type="button" className="link-button" onClick={() => void openModerationSection('linkedAccounts')}>
        {linkedTexts.bansTitle}
      </button>
    </div>
  )
}
