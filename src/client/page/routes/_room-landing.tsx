import { Fragment, type ReactNode } from 'react'
import type { RoomLandingPageProps } from '../../../shared/rooms/page-props.ts'
import { QUIET_ROOM_TEXT } from '../../../shared/sharing/texts.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { Island } from '../../core/islands/island.tsx'
import { BrandLink } from '../../core/ui/brand/brand-link.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { inlineErrors } from '../../core/ui/forms/inline-errors.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { BrowserFields } from '../../features/accounts/sign-in/browser-fields.tsx'
import { GuestNameField } from '../../features/accounts/sign-in/guest-form.tsx'
import { LoginForm } from '../../features/accounts/sign-in/login-form.tsx'
import { SignUpLink } from '../../features/accounts/sign-in/sign-in-card.tsx'
import { SiteFooter } from '../../features/legal/site-footer.tsx'
import { LandingIllustration } from '../../features/rooms/landing-illustration.tsx'
import { ThemeButton } from '../../features/settings/theme-button.island.tsx'
import '../../features/rooms/room-landing.css'

export const title = ({ room }: RoomLandingPageProps): string => `#${isolateBidi(room.name)} · Meydan`
export const description = ({ room, total }: RoomLandingPageProps): string =>
  `Meydan'ın #${room.name} odası: ${presenceText(total)}. Üye olmadan bir ad seç, odaya gir.`

/** A room for a stranger: which one it is, who is there, and the one field that lets them in. */
export function Page({ room, people, total, next, form }: RoomLandingPageProps): ReactNode {
  return (
    <div className="landing">
      <div className="hero">
        <LandingIllustration />
        <header>
          <BrandLink size={38} />
          <Island is={ThemeButton} on="interaction" />
        </header>
        <div className="landing-intro">
          <h1 className="break">
            <bdi>#{room.name}</bdi>
          </h1>
          <p className="landing-intro-online">{presenceText(total)}</p>
          {room.hasPassword && <p>Bu oda şifreli. Girerken şifresi sorulur.</p>}
          {people.length > 0 && <PeopleInRoom people={people} total={total} />}
        </div>
        <EntryCard next={next} form={form} />
      </div>
      <SiteFooter />
    </div>
  )
}

function presenceText(total: number): string {
  return total > 0 ? `Şu anda ${countText(total)} kişi içeride` : QUIET_ROOM_TEXT
}

/** Search engines may list the room, but not quote who is in it. */
function PeopleInRoom({ people, total }: Pick<RoomLandingPageProps, 'people' | 'total'>): ReactNode {
  const others = total - people.length
  return (
    <div className="room-landing-people" data-nosnippet="">
      <span>
        {people.map((person) => (
          <Avatar key={person.id} user={person} size={40} />
        ))}
      </span>
      <p>
        {people.map(({ id, username }, index) => (
          <Fragment key={id}>
            {index > 0 && (others <= 0 && index === people.length - 1 ? ' ve ' : ', ')}
            <bdi>{username}</bdi>
          </Fragment>
        ))}
        {others > 0 && ` ve ${countText(others)} kişi daha`}
      </p>
    </div>
  )
}

function EntryCard({ next, form }: Pick<RoomLandingPageProps, 'next' | 'form'>): ReactNode {
  return (
    <section id="entry" className="sign-in-card" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">Adını yaz, odaya gir</h2>
      <form id="guest-form" className="stack gap-5" method="post" action="/api/users/guest-login" {...inlineErrors}>
        <BrowserFields next={next} isOfRoom />
        <GuestNameField rejected={form?.form === 'guest' ? form : null} />
        <button type="submit" className="button button--large button--accent">
          Odaya gir <ArrowIcon />
        </button>
      </form>
      <LoginForm rejected={form?.form === 'login' ? form : null} next={next} isOfRoom />
      <SignUpLink next={next} />
      <p role="status" data-sign-in-progress hidden>
        <span className="spinner" /> Meydana giriliyor...
      </p>
    </section>
  )
}
