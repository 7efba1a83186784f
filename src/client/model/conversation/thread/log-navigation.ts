import { MAX_MESSAGE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { Conversation } from '../conversation.ts'
import { messageName } from './message-name.ts'

/** Whether the focus moves through a log by its keys: scrolling then loads no older messages. */
export const isNavigatedByKeys = signal(false)

const ROW = '.bubble-row'
const CONTROLS = ':is(a[href], button, input, audio, video, [role=slider])'
/** What the up and down arrows move between. */
const STOPS = `${ROW}, :is(.load-more, .thread-start) ${CONTROLS}`

/**
 * Makes a log one tab stop: the log itself, or what has the focus in it. The up and down arrows, Home and End move between
 * messages, left and right between a message and its controls. Names the reply buttons after their messages.
 */
export function enableLogNavigation(log: HTMLElement, conversation: Conversation, ended: AbortSignal): void {
  let last: HTMLElement | null = null
  const moveTo = (target: HTMLElement): void => {
    const row = target.closest<HTMLElement>(ROW)
    last = stopOf(target) ?? target
    isNavigatedByKeys.value = true
    if (row) nameRow(row, conversation)
    target.focus({ preventScroll: true })
    last.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'PageUp' || event.key === 'PageDown') leaveKeys()
    const target = findTarget(log, event, last)
    if (!target) return
    // A slider of a message must not move as well.
    event.stopPropagation()
    event.preventDefault()
    moveTo(target)
  }
  log.addEventListener('keydown', press, { signal: ended })
  keepOneTabStop(log, ended)
  prepareControls(log, conversation)
  const observer = new MutationObserver((changes) => prepareChanged(changes, conversation))
  observer.observe(log, { childList: true, characterData: true, subtree: true })
  ended.addEventListener('abort', () => observer.disconnect())
}

/** Tab stops at the log, or at what has the focus in it. A scroll by hand ends the movement by keys. */
function keepOneTabStop(log: HTMLElement, ended: AbortSignal): void {
  const listen = { signal: ended, passive: true } as const
  const enter = ({ target }: Event): void => {
    log.tabIndex = target === log ? 0 : -1
  }
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && log.contains(relatedTarget)) return
    log.tabIndex = 0
    leaveKeys()
  }
  log.addEventListener('focusin', enter, listen)
  log.addEventListener('focusout', leave, listen)
  for (const name of ['wheel', 'touchmove', 'pointerdown']) log.addEventListener(name, leaveKeys, listen)
}

/** Scrolling loads older messages again. */
function leaveKeys(): void {
  isNavigatedByKeys.value = false
}

/** Where a key leads; null where it is not a key of the log, or has no further stop. */
function findTarget(log: HTMLElement, event: KeyboardEvent, last: HTMLElement | null): HTMLElement | null {
  const { key, target } = event
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  const isSlider = target instanceof Element && target.matches('input, [role=slider]')
  if (!(target instanceof HTMLElement) || (isSlider && !step)) return null
  const stops = [...log.querySelectorAll<HTMLElement>(STOPS)]
  if (key === 'Home') return stops[0] ?? null
  if (key === 'End') return stops.at(-1) ?? null
  const stop = stopOf(target)
  if (step && !stop) return findEntry(log, stops, last)
  if (step && stop) return stops[stops.indexOf(stop) + step] ?? null
  const sideways = { ArrowRight: 1, ArrowLeft: -1 }[key]
  const controls = stop?.matches(ROW) ? controlsOf(stop) : []
  return sideways ? (controls[controls.indexOf(target) + sideways] ?? null) : null
}

/** The message of a control, also of the sender's name above it. */
function stopOf(target: HTMLElement): HTMLElement | null {
  const row = target.closest('.group-name')?.nextElementSibling
  return row instanceof HTMLElement ? row : target.closest<HTMLElement>(STOPS)
}

/** The stop at which the keys enter the log: the last one that had the focus while it is in view, else the lowest in view. */
function findEntry(log: HTMLElement, stops: readonly HTMLElement[], last: HTMLElement | null): HTMLElement | null {
  const { top, bottom } = log.getBoundingClientRect()
  const isInView = (stop: HTMLElement): boolean => {
    const box = stop.getBoundingClientRect()
    return box.bottom > top && box.top < bottom
  }
  return last?.isConnected && isInView(last) ? last : (stops.findLast(isInView) ?? stops.at(-1) ?? null)
}

/** A message, then its controls; the sender's name is one of the first message of a run. */
function controlsOf(row: HTMLElement): HTMLElement[] {
  const name = row.previousElementSibling?.matches('.group-name') ? row.previousElementSibling : null
  const person = name?.querySelector<HTMLElement>(CONTROLS)
  return [row, ...(person ? [person] : []), ...row.querySelectorAll<HTMLElement>(CONTROLS)]
}

/** Takes the controls of new and changed messages out of the tab order, and names them. */
function prepareChanged(changes: readonly MutationRecord[], conversation: Conversation): void {
  const changed = new Set<Element>()
  for (const { type, target, addedNodes } of changes) {
    if (type === 'characterData') {
      // A sender's new name stands above the run of their messages.
      const part = target.parentElement?.closest(`${ROW}, .group`)
      if (part) changed.add(part)
    }
    for (const node of addedNodes) if (node instanceof Element) changed.add(node.closest(ROW) ?? node)
  }
  for (const element of changed) prepareControls(element, conversation)
}

function prepareControls(root: Element, conversation: Conversation): void {
  if (root instanceof HTMLElement && root.matches(CONTROLS)) root.tabIndex = -1
  for (const control of root.querySelectorAll<HTMLElement>(CONTROLS)) control.tabIndex = -1
  for (const button of root.querySelectorAll('.bubble-reply')) {
    const message = findMessage(button.closest<HTMLElement>(ROW), conversation)
    if (message) button.setAttribute('aria-label', `Yanıtla: ${messageName(message)}`)
  }
}

/** A message that has the focus is read with its sender. */
function nameRow(row: HTMLElement, conversation: Conversation): void {
  const message = findMessage(row, conversation)
  if (!message) return
  row.role = 'group'
  row.ariaLabel = messageName(message, MAX_MESSAGE_LENGTH)
}

function findMessage(row: HTMLElement | null, { bubbles }: Conversation) {
  return bubbles.peek().find(({ key }) => key === row?.dataset.key)
}
