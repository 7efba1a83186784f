import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { live } from '../../core/live/state.ts'
import { lastSeenText, onlineText } from '../../core/presence/last-seen.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
import { ProfileContent } from './profile-content.tsx'
import { profilePath } from './profile-link.ts'
import './profile-panel.css'
import { useCloseOnBack } from '../../core/navigation/use-close-on-back.ts'
import { type PanelChange, panelState } from '../../core/shell/panels/panel-state.ts'
import { openModals } from '../../core/ui/dialogs/open-modals.ts'
import { useModal } from '../../core/ui/dialogs/use-modal.ts'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../../core/ui/use-media-query.ts'
import { type PersonMenuTarget, personMenuEntries } from '../../model/profiles/person-menu-entry.ts'
import '../../core/ui/dialogs/sheet.lazy.css'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { callApi } from '../../core/http/call-api.ts'
import { missedEvents } from '../../core/live/missed-events.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { listenForFollows } from '../../model/relations/follows.ts'
import { roomUsers } from '../../model/rooms/room-users-state.ts'
import { type LookupFailure, ProfileStore } from './profile-store.ts'
import { ProfileWatch } from './profile-watch.ts'

const noModals: readonly HTMLDialogElement[] = []

/** How often an open profile is loaded again: many changes of presence at once come without events. */
const REFRESH_MS = 60_000

const profileWatch = new ProfileWatch(live)

interface ProfileFrameProps {
  titleId: string
  /** The path of the page with the profile open. */
  path: string
  onClose: () => void
  children: ReactNode
}

interface ProfilePanelProps extends OverlayProps {
  username: string
  /** The user as a list showed them, until the profile has loaded. */
  initialUser: Person | null
}

/**
 * A user's profile: beside the thread on a wide screen, else above the page. It has a URL of its own, and Back closes it.
 */
export function ProfilePanel({ username, initialUser, onClose }: ProfilePanelProps): ReactNode {
  const titleId = useId()
  // Not of another page, to which the user is moving.
  const [path] = useState(() => profilePath(username))
  const lookup = useProfile(username, () => !initialUser && onClose())
  const found = lookup.answer === 'notFound' ? null : lookup.answer
  const member = useRoomMember(found?.profile.username ?? username, lookup.reload)
  const answer = found && member ? { ...found, profile: { ...found.profile, ...member } } : found
  // Another user of this name may have been in the list.
  const person = answer?.profile ?? (lookup.answer === 'notFound' ? null : (member ?? initialUser))
  // When a panel opens or closes.
  useEffect(() => {
    document.addEventListener('panelChange', onClose)
    return () => document.removeEventListener('panelChange', onClose)
  }, [onClose])
  return (
    <ProfileFrame titleId={titleId} path={path} onClose={onClose}>
      <header className="profile-top">
        <button type="button" className="icon-button" aria-label="Geri" onClick={onClose}>
          <ArrowIcon />
        </button>
        <h2 id={titleId} className="visually-hidden">
          Profil
        </h2>
        <p className="grow soft small" role="status">
          {answer && presenceText(answer.profile)}
        </p>
        {person && <PersonMenu person={answer ? { ...answer.profile, status: answer.status } : person} />}
      </header>
      {lookup.answer === 'notFound' ? (
        <p className="empty">{profileTexts.notFound}</p>
      ) : (
        <ProfileContent person={person} answer={answer} isFailed={lookup.isFailed} reload={lookup.reload} />
      )}
    </ProfileFrame>
  )
}

/** For how long the user is online or away; null across a block, which hides it. */
function presenceText({ isOnline, connectedAt, lastActive }: ConsolidatedProfile['profile']): string | null {
  if (lastActive === undefined) return null
  const now = live.serverNow()
  // The presence may have changed since the profile was loaded: then its start is not known.
  if (isOnline) return onlineText(connectedAt ?? null, now)
  return lastSeenText(connectedAt ? now : lastActive, now)
}

/** A button with the menu of actions on a person. */
function PersonMenu({ person }: { person: PersonMenuTarget }): ReactNode {
  const entries = personMenuEntries.all
    .filter((entry) => entry.isAvailable?.(person) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(person) }))
  return <MenuButton label="Diğer işlemler" entries={entries} />
}

/** In the place of the side panel on a wide screen, where the page stays usable; else, and above a modal, a modal sheet. */
function ProfileFrame(props: ProfileFrameProps): ReactNode {
  const isWide = useFrameQuery(WIDE_SCREEN_QUERY, true)
  const [isAboveModal] = useState(() => openModals.peek().length > 0)
  return isWide && !isAboveModal ? <DockedFrame {...props} /> : <SheetFrame {...props} />
}

function SheetFrame({ titleId, path, onClose, children }: ProfileFrameProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog, onClose, onClose, path)
  return (
    <dialog ref={dialog} className="sheet sheet--right" data-profile aria-labelledby={titleId}>
      <div className="sheet-body">{children}</div>
    </dialog>
  )
}

function DockedFrame({ titleId, path, onClose, children }: ProfileFrameProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect: the focus returns only if the dialog closes while it is still in the page.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.show()
    return () => current?.close()
  }, [])
  useCloseOnBack(onClose, true, path)
  useEffect(keepCoveredPanel, [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || openModals.peek().length > 0) return
      const { activeElement } = document
      // The focus of a button that is gone, such as 'Engelle', is in the main part.
      if (activeElement?.matches('body, main') || dialog.current?.contains(activeElement)) onClose()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <dialog ref={dialog} className="profile-docked" data-profile data-beside-room aria-labelledby={titleId}>
      {children}
    </dialog>
  )
}

/** A click on the button of the covered panel uncovers it, as the profile closes, instead of closing both. */
function keepCoveredPanel(): () => void {
  const covered = panelState.peek()
  const onChange = (event: Event): void => {
    const { detail } = event as CustomEvent<PanelChange> // what panel-state.ts sends
    if (detail.panel === 'none') panelState.value = covered
  }
  document.addEventListener('panelChange', onChange)
  return () => document.removeEventListener('panelChange', onChange)
}

/**
 * A user's profile, kept current while it is shown; null before the first answer. A first load that fails is shown in a
 * toast, and `onFailure` is called.
 */
function useProfile(
  username: string,
  onFailure: () => void,
): { answer: ConsolidatedProfile | 'notFound' | null; isFailed: boolean; reload: () => Promise<void> } {
  const store = useMemo(
    () => new ProfileStore(username, { id: session.userId(), isRootAdmin: session.isRootAdmin() }, fetchProfile),
    [username],
  )
  const answer = useSignalValue(store.answer, null)
  const missed = useSignalValue(missedEvents, 0)
  const [isFailed, setFailed] = useState(false)
  const load = async (): Promise<void> => {
    setFailed(false)
    const failure = await store.load()
    if (failure === null || failure === 'notFound' || store.answer.peek() !== null) return
    void toast(failure === 'noData' ? profileTexts.noData : profileTexts.notLoaded, 'error')
    setFailed(true)
    onFailure()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: after missed events the known profile is old
  useEffect(() => void load(), [store, missed])
  useEffect(() => listen(store), [store])
  const userId = answer === null || answer === 'notFound' ? null : answer.profile.id
  useEffect(() => {
    return userId === null ? undefined : profileWatch.watch(userId, (shown) => store.applyWatched(shown))
  }, [store, userId])
  return { answer, isFailed, reload: load }
}

function listen(store: ProfileStore): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) void store.load()
  }, REFRESH_MS)
  const unsubscribers = [
    live.on('userProfileUpdated', ({ user }) => store.applyUser(user)),
    live.on('userStatusChanged', (change) => store.applyOnline(change)),
    live.on('profileViewChanged', ({ userId }) => store.applyViewChange(userId)),
    live.on('userBlocked', (change) => store.applyBlock(change, true)),
    live.on('userUnblocked', (change) => store.applyBlock(change, false)),
    live.on('userRoleUpdated', (change) => store.applyRole(change)),
    listenForFollows((change) => store.applyFollow(change)),
    live.on('removeNotification', ({ type, requestId }) => {
      if (type === 'follow') store.applyRequestEnd(requestId)
    }),
  ]
  return () => {
    clearInterval(timer)
    unsubscribers.forEach((unsubscribe) => void unsubscribe())
  }
}

async function fetchProfile(username: string): Promise<ConsolidatedProfile | LookupFailure> {
  const path = `/users/profile-consolidated/${encodeURIComponent(username)}`
  const answer = await callApi<'consolidatedProfile'>(path, { as: 'user' })
  if (typeof answer === 'string') return answer
  if (answer instanceof Refusal) return answer.body.code === 'NotFound' ? 'notFound' : 'noData'
  return answer
}

/** The user as the list of the room's users has them now; undefined outside the room. Reloads the profile when they leave. */
function useRoomMember(username: string, reload: () => unknown): Person | undefined {
  const { users } = useSignalValue(roomUsers, roomUsers.peek())
  const member = users.find((user) => user.username === username)
  const isHere = member !== undefined
  const [wasHere, setWasHere] = useState(isHere)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving and entering the room count
  useEffect(() => {
    if (isHere !== wasHere) void reload()
    setWasHere(isHere)
  }, [isHere])
  return member
}

/**
 * As `useMediaQuery`, for a frame that is a modal where the query does not match. The value stays the same while
 * another modal is open: a frame that opened now would be above it, and one that closed would take the focus out of it.
 */
function useFrameQuery(query: string, serverValue: boolean): boolean {
  const matches = useMediaQuery(query, serverValue)
  const modalCount = useSignalValue(openModals, noModals).length
  const [value, setValue] = useState(matches)
  const ownModalCount = value ? 0 : 1
  if (value !== matches && modalCount <= ownModalCount) setValue(matches)
  return value
}
