import { type ReactNode, useEffect, useId } from 'react'
import { unreachable } from '../../../shared/protocol/unreachable.ts'
import { allowUnload } from '../navigation/unload-guard.ts'
import { AlertDialog } from '../ui/dialogs/alert-dialog.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { CloseIcon, ConeIcon, LeaveIcon, ReloadIcon, UnpluggedIcon, WindowsIcon } from '../ui/lazy-icons.tsx'
import {
  confirmDuplicate,
  continueHere,
  dismissReload,
  leaveToOlderConnection,
  retryNow,
} from './connection-actions.ts'
import type { ConnectionState, ReloadReason } from './live-client.ts'
import './connection-dialog.css'

/** How long 'Bağlantı kuruldu.' is shown. */
const RECONNECTED_NOTICE_MS = 2_000
const UNSENT_TEXT = 'Yazdıkların duruyor; bağlantı gelince gönderilecek.'

const reloadTexts: Record<ReloadReason, string> = {
  restarted: 'Sunucu yeniden başlatıldı.',
  incomplete: 'Sayfanın bir parçası yüklenemedi.',
}

interface ConnectionDialogProps extends ReadingProps {
  state: ConnectionState
}

/** Explains why the connection is blocked, and offers a remedy. */
export function ConnectionDialog({ state: { status, message }, ...reading }: ConnectionDialogProps): ReactNode {
  switch (status) {
    case 'unreachable':
      return <UnreachableDialog message={message} {...reading} />
    case 'duplicate':
      return <DuplicateDialog message={message} />
    case 'maintenance':
      return (
        <BlockingDialog
          icon={<ConeIcon size={40} />}
          title="Meydan bakımda"
          text={`${message ?? ''} Bu sayfa açık kalsın; bitince kaldığın yerden sürer.`}
        />
      )
    case 'ended':
      return (
        <BlockingDialog
          icon={<LeaveIcon size={40} />}
          title="Oturumun kapandı"
          text={message ?? 'Ana sayfadan yeniden girebilirsin.'}
          actions={[{ label: 'Ana sayfaya dön', run: () => leavePage(() => location.assign('/')) }]}
        />
      )
    case 'outdated':
      return (
        <BlockingDialog
          icon={<ReloadIcon size={40} />}
          title="Meydan yenilendi"
          text={message ?? 'Devam etmek için sayfayı yenile.'}
          actions={[{ label: 'Sayfayı yenile', run: reload }]}
        />
      )
    case 'connected':
    case 'connecting':
    case 'reconnecting':
      return null
    default:
      return unreachable(status)
  }
}

/** The user keeps working with the present page and reloads later. */
export function ReloadPrompt({ reason }: { reason: ReloadReason }): ReactNode {
  return (
    <Prompt text={reloadTexts[reason]} action={{ label: 'Sayfayı yenile', run: reload }}>
      <button type="button" className="icon-button" aria-label="Şimdi değil" onClick={dismissReload}>
        <CloseIcon size={18} />
      </button>
    </Prompt>
  )
}

interface DialogProps {
  /** The server's, in Turkish. */
  message: string | undefined
}

interface ReadingProps {
  /** The user reads on without a connection. */
  isReading: boolean
  onRead: () => void
}

function UnreachableDialog({
  message = 'İnternet bağlantını denetle.',
  isReading,
  onRead,
}: DialogProps & ReadingProps): ReactNode {
  const retry = { label: 'Tekrar dene', run: retryNow }
  if (isReading) return <Prompt text="Sunucuya ulaşılamıyor." action={retry} />
  return (
    <BlockingDialog
      icon={<UnpluggedIcon size={40} />}
      title="Sunucuya ulaşılamıyor"
      text={`${message} ${UNSENT_TEXT}`}
      actions={[retry, { label: 'Mesajları oku', run: onRead }]}
    />
  )
}

function DuplicateDialog({ message }: DialogProps): ReactNode {
  return (
    <BlockingDialog
      icon={<WindowsIcon size={40} />}
      title="Meydan başka bir yerde açık"
      text={
        message ??
        'Başka bir sekmede ya da tarayıcıda zaten içeridesin. Devam edersen oradaki oturum kapanır, buradan da ana sayfaya dönersin.'
      }
      actions={[
        { label: 'Burada kullan', run: continueHere },
        { label: 'Devam Et', run: confirmDuplicate },
        { label: 'Vazgeç', run: leaveToOlderConnection },
      ]}
    />
  )
}

interface Action {
  label: string
  run: () => void
}

/** The page behind it can be read and written in; what is written waits. */
function Prompt({ text, action, children }: { text: string; action: Action; children?: ReactNode }): ReactNode {
  return (
    <div className="connection-cover connection-cover--clear">
      <div className="connection-pill">
        <p role="status">{text}</p>
        <button type="button" className="button button--accent" onClick={action.run}>
          {action.label}
        </button>
        {children}
      </div>
    </div>
  )
}

function reload(): void {
  leavePage(() => location.reload())
}

/** Leaves without the unload prompt: the button was the confirmation. */
function leavePage(go: () => void): void {
  allowUnload()
  go()
}

interface BlockingDialogProps {
  icon: ReactNode
  title: string
  text: string
  /** The suggested one first; none when the user can only wait. */
  actions?: readonly Action[]
}

/** The page is unusable until the user acts. */
function BlockingDialog({ icon, title, text, actions = [] }: BlockingDialogProps): ReactNode {
  const id = useId()
  return (
    <AlertDialog className="connection-dialog" id={id}>
      <span>{icon}</span>
      <h2 id={`${id}title`}>{title}</h2>
      <p id={`${id}text`}>{text}</p>
      {actions.map(({ label, run }, index) => (
        <button
          key={label}
          type="button"
          className={index === 0 ? 'button button--accent button--large wide' : 'button button--large wide'}
          onClick={run}
        >
          {label}
        </button>
      ))}
    </AlertDialog>
  )
}

/** Briefly reports that the connection is back. */
export function ReconnectedNotice({ onShown }: { onShown: () => void }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(onShown, RECONNECTED_NOTICE_MS)
    return () => clearTimeout(timer)
  }, [onShown])
  return (
    <div className="connection-cover">
      <p className="connection-pill" role="status">
        <CheckIcon size={16} />
        Bağlantı kuruldu.
      </p>
    </div>
  )
}
