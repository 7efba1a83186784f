import { createElement, type ReactNode, useEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { appendMessage, List, type ListProps } from './list.ts'

/** The peer's code in the browser: hydrates the list and appends each message of a plain WebSocket. */
function Live({ messages: initialMessages }: ListProps): ReactNode {
  const [messages, setMessages] = useState(initialMessages)
  useEffect(() => {
    const socket = new WebSocket(location.href.replace('http', 'ws'))
    socket.onmessage = ({ data }) => setMessages((before) => appendMessage(before, JSON.parse(data)))
    socket.onopen = () => {
      document.documentElement.dataset.isLive = ''
    }
    return () => socket.close()
  }, [])
  return createElement(List, { messages })
}

const root = document.querySelector('#root')
// Written by the server of this page.
const props: ListProps = JSON.parse(document.querySelector('#props')?.textContent ?? '')
if (root) hydrateRoot(root, createElement(Live, props))
