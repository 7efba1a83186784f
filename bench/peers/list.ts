import { createElement, type ReactNode } from 'react'
import type { Message } from '../../src/shared/room-chat/message.ts'

/** The props of the list, embedded in the page as JSON. */
export interface ListProps {
  messages: readonly Message[]
}

const MAX_MESSAGES = 40

/** Appends a message and keeps the latest 40. */
export function appendMessage(messages: readonly Message[], message: Message): readonly Message[] {
  return [...messages, message].slice(-MAX_MESSAGES)
}

/** The messages of a room in bare React: a keyed list with the styles of the site. */
export function List({ messages }: ListProps): ReactNode {
  return createElement(
    'div',
    { className: 'thread' },
    createElement(
      'div',
      { className: 'thread-content' },
      messages.map((message) => createElement(Bubble, { key: message.id, message })),
    ),
  )
}

function Bubble({ message }: { message: Message }): ReactNode {
  const at = new Date(message.createdAt)
  return createElement(
    'div',
    { className: 'group' },
    createElement('div', { className: 'group-face' }, message.senderUsername.slice(0, 1)),
    createElement(
      'div',
      { className: 'group-bubbles' },
      createElement('p', { className: 'group-name' }, createElement('bdi', null, message.senderUsername)),
      createElement(
        'div',
        { className: 'bubble-row' },
        createElement(
          'div',
          { className: 'bubble' },
          createElement('span', { className: 'bubble-text' }, message.content),
          createElement(
            'span',
            { className: 'bubble-foot' },
            createElement('time', { dateTime: at.toISOString() }, `${at.getHours()}:${at.getMinutes()}`),
          ),
        ),
      ),
    ),
  )
}
