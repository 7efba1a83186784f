import { expect, it } from 'vitest'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import { signal } from '../../core/signals/signal.ts'
import { reportFailures } from './failure-toasts.ts'

function entry(clientId: string, failure: string | null = null): OutboxEntry {
  const input = { clientId, roomId: 1, content: 'Selam', username: 'ada' }
  return { clientId, name: 'sendMessage', input, createdAt: 0, failure }
}

it('[DM-59] reports each message that fails once, also at a further try, and none that had failed before', () => {
  const entries = signal<readonly OutboxEntry[]>([])
  const shown: string[] = []
  const stop = reportFailures(entries, (text) => shown.push(text))
  entries.value = [entry('old', 'Eski hata'), entry('a'), entry('b')]
  expect(shown).toEqual([])
  entries.value = [entry('old', 'Eski hata'), entry('a', 'Olmadı'), entry('b')]
  expect(shown).toEqual(['Mesaj gönderilemedi!'])
  entries.value = [entry('old', 'Eski hata'), entry('a', 'Olmadı')]
  expect(shown).toHaveLength(1)
  entries.value = [entry('a')]
  entries.value = [entry('a', 'Olmadı')]
  expect(shown).toHaveLength(2)
  stop()
  entries.value = [entry('c')]
  entries.value = [entry('c', 'Olmadı')]
  expect(shown).toHaveLength(2)
})
