import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type {
  FingerprintBan,
  FingerprintKind,
  LinkedAccount,
} from '../../../shared/text-filters/linked-accounts-protocol.ts'
import { fingerprintCountText, linkedTexts } from '../../../shared/text-filters/screen-texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { errorTexts, inlineErrors, NOT_BLANK } from '../../core/ui/forms/inline-errors.ts'
import type { ModerationSectionProps } from '../../model/moderation/moderation-section.ts'
import { findLinkedAccounts, fingerprintBanList, liftFingerprintBan } from './linked-accounts.ts'
import { PersonButton, TimeText } from './subject-line.tsx'
import '../../core/ui/forms/field.css'
import './text-filters.lazy.css'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'

type Found = RouteAnswer<'linkedAccounts'>

/** 'Bağlı Hesaplar': a search for accounts that share a browser or an address, and the bans of these. */
export function LinkedAccountsSection({ parameter }: ModerationSectionProps<'linkedAccounts'>): ReactNode {
  const id = useId()
  const [name, setName] = useState(parameter?.username ?? '')
  const [found, setFound] = useState<Found | string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const search = useCallback(async (username: string): Promise<void> => {
    setBusy(true)
    setFound(await findLinkedAccounts(username))
    setBusy(false)
  }, [])
  useEffect(() => {
    if (parameter) void search(parameter.username)
  }, [parameter, search])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) void search(name.trim())
  }
  return (
    <div className="filters filter-panel">
      <form className="card stack gap-5 filter-form" {...inlineErrors} onSubmit={submit}>
        <div className="field">
          <label className="field-label" htmlFor={id}>
            {linkedTexts.search}
          </label>
          <div className="toolbar">
            <input
              id={id}
              className="field-input field-input--low"
              value={name}
              required
              pattern={NOT_BLANK}
              {...errorTexts({ missing: linkedTexts.nameMissing })}
              maxLength={64}
              autoComplete="off"
              aria-describedby={`${id}-hint`}
              onChange={({ target }) => setName(target.value)}
            />
            <button type="submit" className="button button--accent" aria-disabled={isBusy}>
              {isBusy && <span className="spinner" />}
              {linkedTexts.find}
            </button>
          </div>
          <p id={`${id}-hint`} className="field-hint">
            {linkedTexts.hint}
          </p>
        </div>
      </form>
      <div role="status">
        {typeof found === 'string' && <p className="field-error">{found}</p>}
        {found !== null && typeof found !== 'string' && <FoundAccounts found={found} />}
      </div>
      <FingerprintBans />
    </div>
  )
}

function FoundAccounts({ found }: { found: Found }): ReactNode {
  const { user, isBanned, accounts, hasMore } = found
  return (
    <div className="card stack gap-3">
      <div className="filter-subject soft small">
        <PersonButton user={user} />
        {isBanned && <span className="tag">{linkedTexts.banned}</span>}
        <span>{fingerprintCountText(found)}</span>
      </div>
      {user.role !== 'rootadmin' && (
        <div className="filter-actions">
          <button
            type="button"
            className="button button--danger"
            aria-haspopup="dialog"
            onClick={() => void openOverlay('fingerprintBanForm', { username: user.username })}
          >
            {linkedTexts.ban}
          </button>
        </div>
      )}
      {accounts.length === 0 && <p className="soft small">{linkedTexts.none}</p>}
      <ul className="stack gap-0">
        {accounts.map((account) => (
          <AccountRow key={account.user.id} account={account} />
        ))}
      </ul>
      {hasMore && <p className="soft small">{linkedTexts.more}</p>}
    </div>
  )
}

function AccountRow({ account }: { account: LinkedAccount }): ReactNode {
  const { user, isBanned, lastSeenAt } = account
  return (
    <li className="filter-subject soft small">
      <PersonButton user={user} />
      {isBanned && <span className="tag">{linkedTexts.banned}</span>}
      <span>{fingerprintCountText(account)}</span>
      <TimeText at={lastSeenAt} />
    </li>
  )
}

/** The bans that cover browsers or addresses, each with what it covers and a button that lifts it. */
function FingerprintBans(): ReactNode {
  return (
    <section aria-label={linkedTexts.bansTitle}>
      <h3 className="pb-3">{linkedTexts.bansTitle}</h3>
      <PagedList
        list={fingerprintBanList}
        empty={linkedTexts.noBans}
        row={(fingerprintBan) => <FingerprintBanRow key={fingerprintBan.id} fingerprintBan={fingerprintBan} />}
      />
    </section>
  )
}

function FingerprintBanRow({ fingerprintBan }: { fingerprintBan: FingerprintBan }): ReactNode {
  const { ban, browsers, addresses } = fingerprintBan
  return (
    <li className="card stack gap-3">
      <div className="filter-subject soft small">
        <button type="button" className="row-button semibold break" data-person={ban.username} aria-haspopup="dialog">
          <bdi>{ban.username}</bdi>
        </button>
        <span>
          {ban.banReason} · {ban.endsAt === null ? 'süresiz' : `${formatDateTime(ban.endsAt)} tarihine kadar`}
        </span>
      </div>
      <p className="soft small">
        {fingerprintCountText(fingerprintBan)} · {formatDateTime(ban.at)} · <bdi>{ban.bannedBy}</bdi>
      </p>
      <div className="filter-actions">
        {browsers > 0 && <LiftButton ban={ban} kind="browser" label="Tarayıcı yasağını kaldır" />}
        {addresses > 0 && <LiftButton ban={ban} kind="address" label="Adres yasağını kaldır" />}
      </div>
    </li>
  )
}

function LiftButton({
  ban,
  kind,
  label,
}: {
  ban: FingerprintBan['ban']
  kind: FingerprintKind
  label: string
}): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await liftFingerprintBan(ban.id, kind)
    setBusy(false)
  }
  return (
    <button
      type="button"
      className="button"
      aria-label={`${label}: ${ban.username}`}
      aria-disabled={isBusy}
      onClick={lift}
    >
      {label}
    </button>
  )
}
