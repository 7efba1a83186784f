import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { showLoadingWhile } from '../core/loading/loading-indicator.ts'
import {
  DEFAULT_PANEL,
  isPanelOpen,
  type LazyPanel,
  type PagePanelProps,
  panelState,
} from '../core/shell/panels/panel-state.ts'
import { SidePanel } from '../core/shell/panels/side-panel.tsx'
import { LOAD_FAILURE_TEXT, logLoadFailure } from '../core/shell/toasts/toast.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { Skeleton } from '../core/ui/skeleton.tsx'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../core/ui/use-media-query.ts'
import { openProfileOnClick } from '../model/profiles/open-profile.ts'
import { useOwnProfile } from '../model/profiles/use-own-profile.ts'

import { panels } from './features.ts'

type PanelHostProps = Omit<PagePanelProps, 'isWide' | 'isOpen'>

/** Shows the open side panel: beside the thread on a wide screen, as a sheet on a narrow one. */
export function PanelHost({ viewer: rendered, ...page }: PanelHostProps): ReactNode {
  const viewer = useOwnProfile(rendered)
  const state = useSignalValue(panelState, 'byWidth')
  const isWide = useMediaQuery(WIDE_SCREEN_QUERY, true)
  useEffect(() => openProfileOnClick(document), [])

  const opened = state === 'byWidth' || state === 'none' ? undefined : panels[state]
  if (opened && 'load' in opened) {
    return <LoadedPanel key={state} name={state} panel={opened} viewer={viewer} isWide={isWide} />
  }
  // The default panel stays in the page while it is closed.
  const shown = panels[DEFAULT_PANEL]
  if (!shown || !('component' in shown)) throw new Error(`${DEFAULT_PANEL} is no panel of the page`)
  const { component: PagePanel } = shown
  return <PagePanel {...page} viewer={viewer} isWide={isWide} isOpen={isPanelOpen(DEFAULT_PANEL, state, isWide)} />
}

interface LoadedPanelProps {
  name: string
  panel: LazyPanel
  viewer: Person
  isWide: boolean
}

/** It opens at once, with a skeleton until its code is there. */
function LoadedPanel({ name, panel, viewer, isWide }: LoadedPanelProps): ReactNode {
  const { title, load, failureText = LOAD_FAILURE_TEXT } = panel
  const [Content, setContent] = useState<ComponentType<{ viewer: Person }> | null>(null)
  const [isFailed, setFailed] = useState(false)
  const attempt = useCallback(() => {
    setFailed(false)
    showLoadingWhile(load()).then(
      (content) => setContent(() => content),
      (error) => {
        logLoadFailure(error)
        setFailed(true)
      },
    )
  }, [load])
  useEffect(attempt, [attempt])
  return (
    <SidePanel title={title} titleId={`${name}-title`} isWide={isWide} isOpen={true}>
      {Content ? <Content viewer={viewer} /> : <Skeleton failure={isFailed ? failureText : null} retry={attempt} />}
    </SidePanel>
  )
}
