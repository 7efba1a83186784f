import type { ReactNode } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import type { LandingPage } from '../../shared/rooms/page.ts'
import { DEFAULT_ROOM_ID } from '../../shared/text/limits.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ArrowIcon } from '../ui/later-icons.tsx'
import { GuestForm } from './guest-form.tsx'
import { LoginForm } from './login-form.tsx'
import './entry-card.css'

type EntryCardProps = Pick<LandingPage, 'session' | 'next' | 'notice' | 'form'>

/** All ways in. Whoever has a session already comes in again with one press. */
export function EntryCard({ session, next, notice, form }: EntryCardProps): ReactNode {
  return (
    <section className="entry" aria-labelledby="entry-title">
      <p className="farewell" role="alert" data-farewell hidden={notice === null}>
        {notice}
      </p>
      {session ? (
        <>
          <h2 id="entry-title" className="entry-title">
            Tekrar hoş geldin
          </h2>
          <ComeBack person={session} next={next} />
          <p className="entry-or">ya da yeni bir adla</p>
        </>
      ) : (
        <h2 id="entry-title" className="entry-title">
          Misafir olarak gir
        </h2>
      )}
      <GuestForm refused={form?.which === 'guest' ? form : null} next={next} isFirst={session === null} />
      <LoginForm refused={form?.which === 'login' ? form : null} next={next} />
      <p className="entering" role="status" data-entering hidden>
        <span className="spinner" /> Meydana giriliyor...
      </p>
    </section>
  )
}

function ComeBack({ person, next }: { person: Person; next: string | null }): ReactNode {
  return (
    <a className="come-back" href={next ?? `/room/${DEFAULT_ROOM_ID}`} data-last-room={next === null || undefined}>
      <Avatar face={person} size={48} />
      <span className="come-back-name">
        <strong>
          <bdi>{person.username}</bdi>
        </strong>{' '}
        olarak devam et
      </span>
      <ArrowIcon />
    </a>
  )
}
