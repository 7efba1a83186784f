import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { UnreadCounts } from '../../../shared/notifications/notification.ts'
import { type NotificationTab, rootAdminTabs, tabsOf } from '../../../shared/notifications/rules.ts'
import { emptyTexts, tabTitles } from '../../../shared/notifications/texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { isClearable, readTab } from './notification-actions.ts'
import { NotificationRow } from './notification-row.tsx'
import { NO_UNREAD } from './notification-store.ts'
import { notifications } from './state.lazy.ts'
import './notifications.lazy.css'
import '../../core/ui/unread-badge.lazy.css'

const TABS_ID = 'notification-tab'

/** The viewer's notifications by tab (specification 2, point 2). */
export function NotificationsPanel({ viewer }: { viewer: Person }): ReactNode {
  const unread = useSignalValue(notifications.unread, NO_UNREAD)
  const [selected, select] = useState<NotificationTab>(() => firstUnreadTab(viewer, unread))
  const adminTabs = tabsOf(viewer.role).filter((tab) => rootAdminTabs.includes(tab))
  // The other tabs of root admins are in the menu, and here while one is shown.
  const tabs = tabsOf(viewer.role).filter((tab) => !adminTabs.includes(tab) || tab === selected)
  // A role may have been taken away.
  const shown = tabs.includes(selected) ? selected : 'mention'
  return (
    <div className="notifications">
      <div className="notification-tabs">
        <Tabs
          label="Bildirim türleri"
          tabs={tabs.map((tab) => ({ tab, label: <TabLabel tab={tab} unread={unread[tab]} /> }))}
          shown={shown}
          onSelect={select}
          id={TABS_ID}
        />
        {adminTabs.length > 0 && (
          <span data-unread={adminTabs.some((tab) => unread[tab] > 0)}>
            <MenuButton
              label="Talepler"
              entries={adminTabs.map((tab) => ({
                label: unread[tab] > 0 ? `${tabTitles[tab]} (${countText(unread[tab])})` : tabTitles[tab],
                run: () => select(tab),
              }))}
            />
          </span>
        )}
      </div>
      <TabPanel key={shown} tab={shown} unread={unread[shown]} />
    </div>
  )
}

function firstUnreadTab(viewer: Person, unread: UnreadCounts): NotificationTab {
  return tabsOf(viewer.role).find((tab) => unread[tab] > 0) ?? 'mention'
}

/** The tab's name with the number of what is unread. */
function TabLabel({ tab, unread }: { tab: NotificationTab; unread: number }): ReactNode {
  return (
    <>
      {tabTitles[tab]}
      {unread > 0 && (
        <span className="unread-badge">
          {unread > 99 ? '99+' : countText(unread)}
          <span className="visually-hidden"> okunmamış</span>
        </span>
      )}
    </>
  )
}

/** The notifications of a tab, older ones on scrolling. Those of our own types are read once they are shown. */
function TabPanel({ tab, unread }: { tab: NotificationTab; unread: number }): ReactNode {
  const store = notifications.lists[tab]
  const list = useSignalValue(store.list, null)
  const latest = list?.items[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when another one has come
  useEffect(() => {
    if (tab === 'other' && unread > 0) readTab(tab, false)
  }, [tab, unread, latest])
  return (
    <div {...tabPanelProps(TABS_ID, tab)} className="panel-scroll">
      {isClearable(tab) && list && list.items.length > 0 && (
        <p className="notification-clear">
          <button type="button" className="link-button" onClick={() => readTab(tab, true)}>
            Tümünü temizle
          </button>
        </p>
      )}
      <PagedList
        list={store}
        empty={emptyTexts[tab]}
        isEndless
        row={(notification) => <NotificationRow key={notification.id} notification={notification} />}
      />
    </div>
  )
}
