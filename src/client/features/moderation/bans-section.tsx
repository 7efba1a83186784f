import type { ReactNode } from 'react'
import { linkedTexts } from '../../../shared/text-filters/screen-texts.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { banList, requestBanLift } from '../../model/moderation/bans.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import { BanRow, NO_BANS_TEXT } from '../../model/moderation/restriction-row.tsx'
import '../../model/moderation/moderation.css'

/** 'Yasaklar': the present bans, each with its reason, end and author, and a button that lifts it. */
export function BansSection(): ReactNode {
  return (
    <div className="bans">
      <PagedList
        list={banList}
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
