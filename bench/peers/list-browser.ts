import { createElement, type ReactNode, useEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { appendMessage, List, type ListProps } from './list.ts'

/** What the browser runs of the peer: it hydrates the list, and adds each message that a plain WebSocket brings. */
function Live({ messages: atFirst }: ListProps): ReactNode {
  const [messages, setMessages] = useState(atFirst)
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
// The page's own server wrote them.
const props: ListProps = JSON.parse(document.querySelector('#props')?.textContent ?? '')
if (root) hydrateRoot(root, createElement(Live, props))
