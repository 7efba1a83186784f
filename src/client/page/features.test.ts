import { expect, it } from 'vitest'
import { menuEntries } from '../core/shell/menus/menu-entries.ts'
import { DEFAULT_PANEL, type PanelName } from '../core/shell/panels/panel-state.ts'
import { messageMenuEntries } from '../model/conversation/message-menu/message-menu-entry.ts'
import { moderationSections } from '../model/moderation/moderation-section.ts'
import { personMenuEntries } from '../model/profiles/person-menu-entry.ts'
import { profileSections } from '../model/profiles/profile-section.ts'
import { roomManagementSections } from '../model/rooms/room-management-section.ts'
import { optionSections } from '../model/wallet/option-section.ts'
import { walletActions } from '../model/wallet/wallet-action.ts'
import { dockEntries, panels } from './features.ts'

it('gives no two entries of a list the same place', () => {
  const lists = {
    dockEntries,
    side: menuEntries.all.filter(({ menu }) => menu === 'side'),
    settings: menuEntries.all.filter(({ menu }) => menu === 'settings'),
    context: menuEntries.all.filter(({ menu }) => menu === 'context'),
    person: personMenuEntries.all,
    message: messageMenuEntries.all,
    profile: profileSections.all,
    roomManagement: roomManagementSections.all,
    options: optionSections.all,
    moderation: moderationSections.all,
    wallet: walletActions.all,
  }
  for (const [name, entries] of Object.entries(lists)) {
    expect(entries.length, name).toBeGreaterThan(1)
    expect(new Set(entries.map(({ order }) => order)).size, name).toBe(entries.length)
  }
})

it('has every panel, and one of them in the page', () => {
  const names: Record<PanelName, true> = {
    allUsers: true,
    dmList: true,
    notifications: true,
    ownRooms: true,
    posts: true,
    profile: true,
    roomActiveUsers: true,
  }
  expect(Object.keys(panels).sort()).toEqual(Object.keys(names))
  expect(Object.entries(panels).filter(([, panel]) => 'component' in panel)).toMatchObject([[DEFAULT_PANEL, {}]])
})
