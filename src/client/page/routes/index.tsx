import type { ReactNode } from 'react'
import type { LandingPageProps } from '../../../shared/rooms/page-props.ts'
import { Island } from '../../core/islands/island.tsx'
import { Brand } from '../../core/ui/brand/brand.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { SignInCard } from '../../features/accounts/sign-in/sign-in-card.tsx'
import { SiteFooter } from '../../features/legal/site-footer.tsx'
import { LandingIllustration } from '../../features/rooms/landing-illustration.tsx'
import { TopRooms } from '../../features/rooms/top-rooms.tsx'
import { ThemeButton } from '../../features/settings/theme-button.island.tsx'
import '../../features/rooms/landing.css'

export const title = (): string => 'Meydan: kameralı sohbet sitesi'
export const description = (): string =>
  'Meydan, kameralı sohbet sitesi. Üye olmadan bir ad seç, odaya gir; yaz, konuş, görün. Herkes meydanda.'

/** The landing page: what Meydan is, its most active rooms, and the sign-in. */
export function Page({ onlineCount, rooms, ...entry }: LandingPageProps): ReactNode {
  return (
    <div className="landing">
      <div className="hero">
        <LandingIllustration />
        <header>
          <Brand size={38} />
          <Island is={ThemeButton} on="interaction" />
        </header>
        <div className="landing-intro">
          <h1>
            Herkes meydanda. <span>Sen neredesin?</span>
          </h1>
          <p>Meydan, kameralı sohbet sitesi. Bir ad seç, odaya gir; yaz, konuş, görün. Üye olman gerekmez.</p>
          <p className="landing-intro-online">
            {onlineCount > 0 ? (
              <span>
                Şu anda <strong>{countText(onlineCount)} kişi</strong> meydanda
              </span>
            ) : (
              'Meydan şimdi sessiz; ilk gelen sen ol'
            )}
          </p>
        </div>
        <SignInCard {...entry} />
      </div>
      <TopRooms rooms={rooms} isSignedIn={entry.session !== null} />
      <SiteFooter />
    </div>
  )
}
