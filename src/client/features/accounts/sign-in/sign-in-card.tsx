import type { ReactNode } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import { DEFAULT_ROOM_ID } from '../../../../shared/room-chat/limits.ts'
import type { LandingPageProps } from '../../../../shared/rooms/page-props.ts'
import { ArrowIcon } from '../../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { GuestForm } from './guest-form.tsx'
import { LoginForm } from './login-form.tsx'
import './sign-in-card.css'

type SignInCardProps = Pick<LandingPageProps, 'session' | 'next' | 'notice' | 'isSigningUp' | 'form'>

/** The sign-in forms; with a session, also a link that continues it. */
export function SignInCard(props: SignInCardProps): ReactNode {
  const { isSigningUp, form } = props
  // A member sees no sign-up form, which would show its error.
  const notice = props.notice ?? (form?.form === 'register' && !isSigningUp ? form.error : null)
  return (
    <section id="entry" className="sign-in-card" aria-labelledby="sign-in-title">
      <p role="alert" data-end-message hidden={notice === null}>
        {notice}
      </p>
      {isSigningUp ? <SignUpSection {...props} /> : <SignInForms {...props} />}
      <p role="status" data-sign-in-progress hidden>
        <span className="spinner" /> Meydana giriliyor...
      </p>
    </section>
  )
}

function SignInForms({ session, next, form }: SignInCardProps): ReactNode {
  return (
    <>
      {session ? (
        <>
          <h2 id="sign-in-title">Tekrar hoş geldin</h2>
          <ContinueAsLink person={session} next={next} />
          <p className="sign-in-divider">ya da yeni bir adla</p>
        </>
      ) : (
        <h2 id="sign-in-title">Misafir olarak gir</h2>
      )}
      <GuestForm rejected={form?.form === 'guest' ? form : null} next={next} isPrimary={session === null} />
      <LoginForm rejected={form?.form === 'login' ? form : null} next={next} />
      {(session === null || session.isGuest) && <SignUpLink next={next} />}
    </>
  )
}

function SignUpSection({ session, next, form }: SignInCardProps): ReactNode {
  return (
    <>
      <h2 id="sign-in-title">Üye Ol</h2>
      <SignUpForm rejected={form?.form === 'register' ? form : null} next={next} guest={session} />
      <a className="sign-in-other" href={landingPath(next)}>
        Üye olmadan da girebilirsin. <span>Misafir olarak gir</span>
      </a>
    </>
  )
}

/** Leads to the sign-up form, and from there to `next`. */
export function SignUpLink({ next }: Pick<LandingPageProps, 'next'>): ReactNode {
  return (
    <a className="sign-in-other" href={landingPath(next, 'register')}>
      Henüz üye değil misin? <span>Üye Ol</span>
    </a>
  )
}

/** The path of the landing page with another form and the same `next`. */
function landingPath(next: string | null, form?: 'register'): string {
  const query = new URLSearchParams({ ...(form && { form }), ...(next !== null && { next }) })
  return `/${query.size > 0 ? `?${query}` : ''}#entry`
}

function ContinueAsLink({ person, next }: { person: Person; next: string | null }): ReactNode {
  return (
    <a className="continue-as" href={next ?? `/room/${DEFAULT_ROOM_ID}`} data-last-room={next === null || undefined}>
      <Avatar user={person} size={48} />
      <span className="grow break">
        <strong>
          <bdi>{person.username}</bdi>
        </strong>{' '}
        olarak devam et
      </span>
      <ArrowIcon />
    </a>
  )
}
