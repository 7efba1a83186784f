import { randomUUID } from 'node:crypto'
import type { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'
import type { CommandInput, CommandName } from '../../src/shared/protocol/catalogue.ts'
import type { Participant } from './ghost-participant.ts'

/** `hayal` is banned; `can` shares rooms with them; `ece` stays in room 2 and watches from there. */
export type PersonName = 'hayal' | 'can' | 'ece' | 'root'
export type People = Record<PersonName, Participant>

export interface ScriptStep {
  who: PersonName
  name: string
  act(people: People): Promise<unknown>
}

type Action = (person: Participant, people: People) => Promise<unknown>
/** Draws what an action needs, so that it is the same in every run. */
type ActionMaker = (random: SeededRandom) => Action

const STEPS_BEFORE = 15
const WORDS = ['selam', 'günaydın', 'merhaba', 'nasılsın', 'çay', 'kahve', 'hava', 'deniz'] as const
const text = (random: SeededRandom) => `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.integer(1, 99)}`
const always = (action: Action): ActionMaker => {
  return () => action
}
const command = <N extends CommandName>(name: N, input: CommandInput<N>) =>
  always((person) => person.request(name, input))
const route = (path: string, body?: object) => always((person) => person.call(path, body))
const isFrom = (username: string) => (payload: Record<string, unknown>) => payload.senderUsername === username
const idOf = (payload: Record<string, unknown> | undefined) => (typeof payload?.id === 'number' ? payload.id : 1)

const say =
  (makeContent: (random: SeededRandom) => string): ActionMaker =>
  (random) => {
    const content = makeContent(random)
    return (person) => person.request('sendMessage', { roomId: person.roomId, content, clientId: randomUUID() })
  }
/** The root admin writes after the member: else the guest's messages would decide how many the member may write in a row. */
const sayBeforeRoot =
  (makeContent: (random: SeededRandom) => string): ActionMaker =>
  (random) => {
    const content = makeContent(random)
    return async (person, { root }) => {
      const { roomId } = person
      await person.request('sendMessage', { roomId, content, clientId: randomUUID() })
      await root.enter(roomId)
      await root.request('sendMessage', { roomId, content: 'evet', clientId: randomUUID() })
    }
  }
const writeTo =
  (recipientUsername: string): ActionMaker =>
  (random) => {
    const content = text(random)
    return (person) => person.request('sendDirectMessage', { recipientUsername, content, clientId: randomUUID() })
  }

/** Reads that both the guest and the others make. */
const reads: Record<string, ActionMaker> = {
  'read messages': always((person) => person.request('getMessages', { roomId: person.roomId })),
  'read older messages': always((person) => {
    const before = idOf(person.latest('message', () => true))
    return person.request('getMessages', { roomId: person.roomId, before })
  }),
  search: (random) => {
    const searched = random.pick(WORDS)
    return (person) => person.request('searchMessages', { roomId: person.roomId, text: searched })
  },
  'list users': always((person) => person.request('getRoomUsers', { roomId: person.roomId })),
  'find the guest': always((person) => person.request('getRoomUsers', { roomId: person.roomId, search: 'haya' })),
  'count the site': command('getStatus', {}),
  'count the room': always((person) => person.request('getStatus', { roomId: person.roomId })),
  'list rooms': command('getRooms', {}),
  'list rooms over HTTP': route('/rooms'),
  'read the room': route('/rooms/1'),
  'open the landing page': always((person) => person.openPage('/')),
  "open the room's page": always((person) => person.openPage(`/room/${person.roomId}`)),
  'watch rooms': command('watchRooms', { roomIds: [1, 2, 3] }),
  'watch counts': command('watchRoomCounts', { scope: 'all' }),
  'watch the busiest counts': command('watchRoomCounts', { scope: 'busiest' }),
  conversations: route('/dm/userconversations'),
  mentions: route('/notifications?tab=mention'),
  'profile of the guest': route('/users/profile-consolidated-guest/hayal'),
  'profile by name': route('/users/username/hayal'),
  'watch the guest': always((person, { hayal }) => person.request('watchProfile', { userId: hayal.user.userId })),
  'lists of followers': always((person, { hayal }) => person.call(`/follow/followers-following/${hayal.user.userId}`)),
  'posts of the guest': always((person, { hayal }) => person.call(`/posts/user/${hayal.user.userId}`)),
  'is the name taken': route('/users/isRegister/hayal'),
  'blocks between the two': always((person) => {
    return person.call(`/users/is-blocked?username1=${encodeURIComponent(person.user.username)}&username2=hayal`)
  }),
  typing: always((person) => person.request('typing', { roomId: person.roomId })),
  'renew the token': route('/users/refresh-token', {}),
  'change the room': (random) => {
    const away = random.integer(2, 3)
    return (person) => person.enter(person.roomId === 1 ? away : 1)
  },
  reconnect: always((person) => person.reconnect()),
}

/** What the guest does besides. */
const guestActions: Record<string, ActionMaker> = {
  say: say(text),
  'say more': say(text),
  mention: say((random) => `@can ${text(random)}`),
  reply: (random) => {
    const content = text(random)
    return (person) => {
      const replyTo = { id: idOf(person.latest('message', isFrom('yönetici'))) }
      return person.request('sendMessage', { roomId: person.roomId, content, clientId: randomUUID(), replyTo })
    }
  },
  'write to a member': writeTo('can'),
  'write to a guest': writeTo('ece'),
  'write to a root admin': writeTo('yönetici'),
  'reply to a member': (random) => {
    const content = text(random)
    return (person) => {
      const replyTo = { id: idOf(person.latest('directMessage', isFrom('can'))) }
      return person.request('sendDirectMessage', { recipientUsername: 'can', content, clientId: randomUUID(), replyTo })
    }
  },
  'send a picture to a member': always((person) => person.sendPictureTo('can')),
  'open a conversation': command('dmSessionStart', { recipientUsername: 'can' }),
  'leave a conversation': command('dmSessionEnd', { recipientUsername: 'can' }),
  'read a conversation': command('markMessagesAsRead', { otherUsername: 'can' }),
  'type to somebody': always((person, { can }) => person.request('directTyping', { userId: can.user.userId })),
  'read the messages to somebody': route('/dm/hayal/can'),
  'load messages to somebody': always((person, { can }) =>
    person.request('getDirectMessages', { userId: can.user.userId }),
  ),
  'hide a conversation': route('/conversation-status/hideconversation', { targetUsername: 'can' }),
  'delete a conversation': route('/dm/delete', { targetUsername: 'can' }),
  block: route('/users/block', { blockedUsername: 'can' }),
  unblock: route('/users/unblock', { blockedUsername: 'can' }),
  'list blocks': route('/users/blocked-users'),
  call: command('dmVoiceCallRequest', { recipientUsername: 'ece', callType: 'voice' }),
  'call and hang up': always(async (person) => {
    const { callId } = await person.request('dmVoiceCallRequest', { recipientUsername: 'can', callType: 'video' })
    if (typeof callId === 'string') await person.request('dmEndCall', { callId })
  }),
  'report a user': route('/users/report', { username: 'can', reason: 'spam' }),
  'report a message': always((person) => {
    const messageId = idOf(person.latest('message', isFrom('can')))
    return person.call('/rooms/report', { messageId, roomId: 1, reason: 'insult' })
  }),
  'close messages': command('updatePrivacySettings', { messagePrivacy: 'nobody' }),
  'open messages': command('updatePrivacySettings', { messagePrivacy: 'everyone' }),
  'close calls': command('updatePrivacySettings', { voiceCallPrivacy: 'nobody' }),
  'open calls': command('updatePrivacySettings', { voiceCallPrivacy: 'everyone' }),
  'read the account': route('/users/account'),
  'list sessions': route('/users/sessions'),
  'list gifts': route('/gifts'),
  'read notifications': always((person) => {
    return person.request('notificationTabRead', { tab: 'mention', upTo: Date.now(), remove: false })
  }),
  'second tab': always((person) => (person.tabCount === 1 ? person.openTab(2) : person.closeTab(1))),
  'go away': always((person) => person.closeAllTabs()),
  'send a picture': always((person) => person.sendPicture()),
}
/**
 * What would refuse others already before the ban, who go on to meet it during the ban; and a call that may ring at the time
 * of the ban, which its callee does not miss.
 */
const ACTIONS_AFTER_BAN: readonly string[] = ['block', 'close messages', 'close calls', 'call']

/** What somebody does besides who shares the guest's rooms. */
const memberActions: Record<string, ActionMaker> = {
  say: sayBeforeRoot(text),
  'mention the guest': sayBeforeRoot((random) => `@hayal ${text(random)}`),
  'write to the guest': writeTo('hayal'),
  'read the conversation with the guest': always(async (person) => {
    await person.request('dmSessionStart', { recipientUsername: 'hayal' })
    await person.request('markMessagesAsRead', { otherUsername: 'hayal' })
    await person.request('dmSessionEnd', { recipientUsername: 'hayal' })
  }),
  'type to the guest': always((person, { hayal }) => person.request('directTyping', { userId: hayal.user.userId })),
}

/** What others look at in the end to find a trace, besides. */
const looks: Record<string, ActionMaker> = {
  'read the messages to the guest': always((person) => person.call(`/dm/${person.user.username}/hayal`)),
  'open the conversation': command('dmSessionStart', { recipientUsername: 'hayal' }),
  'write to the guest': command('sendDirectMessage', { recipientUsername: 'hayal', content: 'orada mısın' }),
  'call the guest': command('dmVoiceCallRequest', { recipientUsername: 'hayal', callType: 'voice' }),
  'whole profile': route('/users/profile-consolidated/hayal'),
  'block the guest': route('/users/block', { blockedUsername: 'hayal' }),
}

function makeSteps(random: SeededRandom, who: PersonName, actions: Record<string, ActionMaker>): ScriptStep[] {
  return Object.entries(actions).map(([name, make]) => {
    const act = make(random)
    return {
      who,
      name: `${who}: ${name}`,
      act: async (people) => {
        const person = people[who]
        if (person.tabCount === 0) await person.openTab(1)
        await act(person, people)
      },
    }
  })
}

function shuffle(random: SeededRandom, steps: ScriptStep[]): ScriptStep[] {
  const keyed = steps.map((step) => ({ step, key: random.next() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ step }) => step)
}

/** A random order of what all do before the ban. What a step does depends on what its own user has got alone. */
export function createStepsBefore(random: SeededRandom): ScriptStep[] {
  const actions = Object.entries(guestActions).filter(([name]) => !ACTIONS_AFTER_BAN.includes(name))
  const guestSteps = makeSteps(random, 'hayal', Object.fromEntries(actions))
  return shuffle(random, [...guestSteps, ...makeSteps(random, 'can', memberActions)]).slice(0, STEPS_BEFORE)
}

/** As `createStepsBefore`, while the guest may be banned. */
export function createStepsAfter(random: SeededRandom): ScriptStep[] {
  return shuffle(random, [
    ...makeSteps(random, 'hayal', { ...guestActions, ...reads }),
    ...makeSteps(random, 'hayal', guestActions),
    ...makeSteps(random, 'can', { ...memberActions, ...reads }),
    ...makeSteps(random, 'can', memberActions),
    ...makeSteps(random, 'ece', reads),
  ])
}

/** What others look at in the end to find a trace. @param hiddenFiles paths of files that a ghost has uploaded */
export function createProbes(random: SeededRandom, hiddenFiles: readonly string[]): ScriptStep[] {
  const files = always(async (person) => {
    for (const path of hiddenFiles) await person.fetchFile(path)
  })
  return (['can', 'ece'] as const).flatMap((who) => makeSteps(random, who, { ...reads, ...looks, files }))
}
