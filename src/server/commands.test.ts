import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandRegistry } from './commands.ts'
import { collectCommands, indexByName } from './kernel/database/commands/command-registry.ts'
import { type AnyCommand, defineCommand } from './kernel/database/commands/define-command.ts'
import { slowReads } from './slow-reads.ts'

const once = defineCommand({
  name: 'once',
  keepResult: 'never',
  run: () => ({ success: true }),
})

it('[LIVE-31] refuses two write commands with the same name', () => {
  expect(() => collectCommands([{ commands: [once] }, { commands: [once] }])).toThrow(
    'two commands of the database have the name once',
  )
})

it('refuses two slow reads with the same name', () => {
  expect(() => indexByName('slow reads', [...slowReads, { name: 'listActions' }])).toThrow(
    'two slow reads of the database have the name listActions',
  )
})

it('lists every slow read that the main thread asks for', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts', 'testing/**'] })
  const asked = sources.flatMap((file) =>
    [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/\breadInWorker\((\w+),/g)].map(
      ([, name]) => name,
    ),
  )
  expect(slowReads.map(({ name }) => name).toSorted()).toEqual([...new Set(asked)].toSorted())
})

describe('the metadata of the write commands', () => {
  const namesWhere = (matches: (command: AnyCommand) => boolean) =>
    [...commandRegistry.byName.values()].filter(matches).map(({ name }) => name)

  it('[REG-10] let no other region submit what only the primary runs', () => {
    expect(namesWhere(({ origin }) => origin === 'primary').toSorted()).toEqual([
      'closeOldReports',
      'deleteOldNotifications',
      'deleteOldReportContents',
      'deleteRemovedMessages',
      'deleteRemovedTexts',
      'deleteUnusedDirectMedia',
      'deleteUnusedRoomMedia',
      'expireGhostBans',
      'expireRooms',
      'fillSkeletons',
      'makeRootAdmin',
      'purgeDirectMessages',
      'purgePosts',
      'raiseFloodAlert',
      'seedDefaultRooms',
      'setMaintenance',
      'showPremiumChanges',
      'sweepAccounts',
      'sweepFiles',
      'trimFilterRecords',
      'trimLog',
      'trimRoom',
      'trimRoomMessages',
      'trimRoomRecords',
    ])
  })

  it('[REG-28] let what takes access away, gives it or moves money wait for another region', () => {
    expect(namesWhere(({ awaitsReplicaAck }) => awaitsReplicaAck).toSorted()).toEqual([
      'addRoomAdmin',
      'banFromRoom',
      'banMarks',
      'banUser',
      'changeRole',
      'clearRoomMessages',
      'createStarRequest',
      'decideReports',
      'decideRequest',
      'ghostBanGuest',
      'liftBan',
      'liftMarkBan',
      'liftMute',
      'liftRoomBan',
      'muteUser',
      'orderRoom',
      'registerMember',
      'removeMessage',
      'removeRoomAdmin',
      'renewRoom',
      'requestWithdrawal',
      'sendGift',
      'setRoomPassword',
      'updateProfile',
      'upgradeToPremium',
    ])
  })

  it('[LIVE-21] keep the answer of every command that a retry must not run again', () => {
    expect(namesWhere(({ keepResult }) => typeof keepResult === 'object')).toEqual(['sendDirectMessage', 'sendMessage'])
    const runAgain = namesWhere(({ keepResult, origin }) => keepResult === 'never' && origin === 'anyRegion')
    expect(runAgain.toSorted()).toEqual([
      'addDirectMedia',
      'addRoomMedia',
      'grantRoom',
      'indexMessages',
      'markMessagesRead',
      'markNotificationRead',
      'markTabRead',
      'readHeldText',
      'recordKeyUse',
      'recordLookUp',
      'recordMissedCall',
      'recordReportRead',
      'recordRoomVisits',
      'registerFile',
      'renewKey',
      'reportDiskLevel',
      'touchAccountMarks',
      'touchSession',
      'touchUsers',
    ])
  })

  it('[LIVE-22] compare the whole input of a retry', () => {
    // Their handlers add what may have changed: whether the recipient is in the room, what is known of a call.
    expect(namesWhere(({ retryInput }) => retryInput !== 'all')).toEqual(['sendGift', 'submitReport'])
  })
})
