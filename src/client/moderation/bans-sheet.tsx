import { type ReactNode, useId } from 'react'
import { BANNED_USERS_LABEL } from '../../shared/moderation/rules.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { BanRow, NO_BANS_TEXT } from './ban-row.tsx'
import { banList, loadBans, requestBanLift } from './bans.ts'
import './moderation.css'

/** The list of bans, each with its reason, end and author, and a button that lifts it. */
export function BansSheet({ onClose }: OverlayProps): ReactNode {
  const titleId = useId()
  const list = useSignalValue(banList, null)
  return (
    <Sheet title={BANNED_USERS_LABEL} titleId={titleId} side="right" onClose={onClose}>
      <div className="panel-scroll bans">
        <PagedList
          list={list}
          load={loadBans}
          empty={NO_BANS_TEXT}
          row={(ban) => (
            <BanRow key={ban.id} ban={ban} lift={() => requestBanLift({ id: ban.userId, username: ban.username })} />
          )}
        />
      </div>
    </Sheet>
  )
}
