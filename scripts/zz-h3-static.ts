import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { launchTestBrowser } from '../tests/drivers/browser.ts'

const mine =
  `core/live/connection-overlay.css core/live/connection-dialog.css features/calls/window/call-window.lazy.css features/calls/window/call-controls.lazy.css features/calls/window/call-stage.lazy.css features/calls/window/call-settings.lazy.css features/calls/window/call-notices.lazy.css features/calls/window/call-bar.lazy.css model/conversation/composer/composer.css model/conversation/composer/composer-extras.css model/conversation/composer/emoji-picker.css model/media/media-view.lazy.css model/media/audio/audio-player.lazy.css model/conversation/media/file-composer.lazy.css model/conversation/media/media-viewer.css model/conversation/media/message-files.lazy.css model/conversation/media/voice-recorder.lazy.css model/conversation/thread/thread.css model/conversation/thread/message-media.css model/conversation/thread/thread-extras.css`.split(
    ' ',
  )
const base =
  'core/styles/tokens.css core/styles/base.css core/styles/controls.css core/ui/layout.css core/ui/primitives.css core/ui/person/avatar.css'.split(
    ' ',
  )
const fs = (f: string) => {
  try {
    return readFileSync('src/client/' + f, 'utf8').replace(/@import[^;]*;/g, '')
  } catch {
    console.log('no', f)
    return ''
  }
}
const git = (f: string) => execFileSync('git', ['show', `HEAD:src/client/${f}`], { encoding: 'utf8' })
const forced = execFileSync('bash', ['-c', 'cat $(find src -name "forced-colors*.css")'], { encoding: 'utf8' })
const before = [...base.map(fs), ...mine.map(git), forced].join('\n')
const after = [...base.map(fs), ...mine.map(fs), forced].join('\n')
const av = '<span class="avatar avatar--32 tint-1"><img alt=""></span>'
const svg = '<svg class="icon" width="20" height="20"></svg>'
const btn = (cls: string, attr: string, old: boolean) =>
  `<button type="button" class="call-button ${cls}" ${attr}><span${old ? ' class="call-button-icon"' : ''}>${svg}</span><span${old ? ' class="call-button-label"' : ''}>Metin</span></button>`
const buttons = (o: boolean) =>
  btn(o ? 'call-button--off' : '', 'aria-pressed="false"', o) +
  btn(o ? 'call-button--off' : 'call-button--microphone', 'aria-pressed="false"', o) +
  btn('call-button--microphone', 'aria-pressed="true"', o) +
  btn('', 'aria-pressed="true"', o) +
  btn(o ? 'call-button--accent' : 'call-button--screen', 'aria-pressed="true"', o) +
  btn(o ? '' : 'call-button--screen', 'aria-pressed="false"', o) +
  btn('', 'aria-disabled="true"', o) +
  btn('call-button--accept', '', o) +
  btn('call-button--end', '', o)
const c = (o: boolean, name: string, other = '') => {
  const v = o ? [name, other].filter(Boolean).join(' ').trim() : other
  return v ? ` class="${v}"` : ''
}
const call = (
  o: boolean,
  frame: string,
  layout: string,
  phase: string,
  enlarged = false,
) => `<div class="call-${frame}"><div class="call call--${frame} call--${layout} call--${frame}-${layout}" data-phase="${phase}" data-enlarged="${enlarged}">
<header class="call-head"><button class="icon-button call-grip">${svg}</button><div class="grow call-identity"><h2 id="call-name"${c(o, 'call-name')}><bdi class="truncate">Ada</bdi><span${c(o, 'call-staff')}>Yetkili</span></h2><p class="visually-hidden">x</p><p${c(o, 'call-status')}><span class="tabular">0:01</span><span class="call-quality call-quality--fair">iyi</span></p></div></header>
<section class="call-settings"><label class="${o ? 'call-device' : 'call-setting'}"><span>Mik</span><span class="select"><select></select></span></label><div class="${o ? 'call-security' : 'call-setting'}"><h3>${svg}Kod</h3><p>bekle</p><p${c(o, 'call-hint')}>Acik</p></div><div class="${o ? 'call-security' : 'call-setting'}"><h3>${svg}Kod</h3><p class="call-code">12</p><p${c(o, 'call-hint')}>Acik</p></div><p class="${o ? 'call-level' : 'call-setting'}"><span>D</span><span class="${o ? 'call-level-bar' : 'call-level'}"></span></p></section>
<div class="call-stage" data-sharing="false"><div class="call-portrait">${av}</div><video class="call-remote" data-shown="true"></video><ul${c(o, 'call-marks')}><li${c(o, 'call-mark')}>${svg}a</li></ul><div class="${o && phase === 'outgoing' ? 'call-self call-self--large' : 'call-self'}"><video></video><button${c(o, 'call-flip')}>${svg}</button></div></div>
<div class="call-notices"><div class="call-notes"><p${c(o, 'call-note call-note--warning')}>${svg}a</p><p${c(o, 'call-note')}>b</p></div><div class="call-request"><p>a</p><button class="button">b</button></div></div>
<div class="call-controls${o ? ({ incoming: ' call-controls--answer', ended: ' call-controls--text', declined: ' call-controls--text' }[phase] ?? '') : ''}">${phase === 'ended' || phase === 'declined' ? '<button class="button">a</button><button class="button button--accent">b</button>' : buttons(o)}</div></div>${frame === 'box' ? `<p${c(o, 'call-shortcut')}><span class="visually-hidden">a</span>b</p>` : ''}</div>`
const html = (o: boolean) => `
${['incoming', 'outgoing', 'connected', 'ended', 'declined']
  .flatMap((p) =>
    [
      ['box', 'card'],
      ['box', 'picture'],
      ['screen', 'avatar'],
      ['screen', 'picture'],
    ].map(([f = '', l = '']) => call(o, f, l, p)),
  )
  .join('')}${call(o, 'box', 'picture', 'connected', true)}
<section class="call-bar"><video class="call-remote" data-shown="false"></video><button class="${o ? 'call-bar-open' : 'row-button grow'}">${av}<span${c(o, 'call-bar-text')}><b${o ? '' : ' class="truncate bold"'}><bdi>Ada</bdi></b><span class="visually-hidden">x</span><span class="${o ? 'call-bar-status' : 'truncate good small'}">durum</span></span></button><p class="visually-hidden">s</p>${buttons(o)}</section>
<div class="connection-cover connection-cover--clear"><div class="connection-pill${o ? ' connection-pill--prompt' : ''}"><p>t</p><button class="button button--accent">a</button><button class="icon-button">${svg}</button></div></div>
<div class="connection-cover"><p class="connection-pill"><span class="spinner"></span>text<span${c(o, 'connection-attempt')}>2</span></p><p class="connection-pill${o ? ' connection-pill--good' : ''}">${svg}b</p></div>
<form class="composer"><div class="composer-notice"><p class="notice-pill${o ? ' notice-pill--info' : ''}">${svg}<span>a</span></p><p class="notice-pill notice-pill--warning">${svg}<span>a</span></p></div><div class="emoji-frame"><p${c(o, 'emoji-failed')}>a</p></div>
<div class="file-drafts"><ul${c(o, 'file-drafts-list')}><li class="file-draft"><span${c(o, 'file-draft-picture')}><span class="spinner"></span></span><span${c(o, 'file-draft-text')}><bdi class="truncate semibold">a</bdi><span class="faint tabular">1</span></span></li><li class="file-draft"><span${c(o, 'file-draft-picture')}><img alt=""></span><span${c(o, 'file-draft-text')}><bdi>a</bdi></span></li></ul></div>
<div class="voice"><p class="visually-hidden" role="status">a</p><p${c(o, 'voice-note')} role="alert">a</p><div class="voice-row${o ? ' voice-row--problem' : ''}">${svg}<div class="voice-text"><p role="alert">a</p><button class="link-button">b</button></div><button class="voice-button">${svg}</button></div><div class="voice-row" data-paused="true"><button class="voice-button">${svg}</button><span class="voice-text">a</span><span class="spinner faint${o ? ' voice-wait' : ''}"></span><span class="voice-lamp"></span><span${c(o, 'voice-time')} role="timer">1</span><button class="voice-button voice-button--accent"><span class="spinner"></span></button></div></div>
<div class="composer-box"><button class="composer-emoji" type="button" aria-expanded="false">${svg}</button><textarea class="composer-field"></textarea><span class="composer-tools"><input type="file" hidden><button type="button" class="composer-emoji">${svg}</button><button type="button" class="composer-emoji${o ? ' composer-voice' : ''}" aria-expanded="false">${svg}</button></span><button class="composer-send" data-ready="false">${svg}</button></div></form>
<form class="composer"><div class="composer-box"><span class="composer-tools"><input type="file" hidden><button type="button" class="composer-emoji">${svg}</button><button type="button" class="composer-emoji${o ? ' composer-voice' : ''}" aria-expanded="false">${svg}</button></span><button class="composer-send" data-ready="false">${svg}</button></div></form>
<form class="composer"><div class="composer-box"><span class="composer-tools"><input type="file" hidden><button type="button" class="composer-emoji">${svg}</button><button type="button" class="composer-emoji${o ? ' composer-voice' : ''}" aria-expanded="false">${svg}</button></span><button class="composer-send" data-ready="true">${svg}</button></div></form>
<div class="mention-list"><button role="option" aria-selected="true"${c(o, 'mention-option')}>a</button><button role="option" aria-selected="false"${c(o, 'mention-option')}>a</button></div>
<div class="viewer"><div class="viewer-body"><header${c(o, 'viewer-head')}><p${c(o, 'viewer-title')}><b${o ? '' : ' class="truncate"'}><bdi>a</bdi></b><span${o ? '' : ' class="truncate"'}><span class="visually-hidden">a</span><time>b</time></span></p><button class="viewer-button" aria-pressed="true">${svg}</button></header><div class="viewer-stage"><div class="viewer-media"><img alt=""><p role="alert"${c(o, 'viewer-failure')}>${svg}<span>a</span><button class="viewer-button">b</button></p></div><button class="viewer-button${o ? ' viewer-step' : ''}" data-step="previous" aria-disabled="true">${svg}</button><button class="viewer-button${o ? ' viewer-step' : ''}" data-step="next" aria-disabled="false">${svg}</button></div><p${c(o, 'viewer-text')} dir="auto">a</p></div></div>
<div class="thread" data-end="false"><div class="thread-content"><div class="thread-start" data-empty="true"><img alt=""><p class="thread-start-title">a</p><p${c(o, 'thread-start-text')} dir="auto">b</p><p${c(o, 'thread-start-text')}>b</p></div><section class="day"><h2${c(o, 'day-name')}><span>a</span></h2><div class="group"><div class="group-bubbles"><p class="group-name tint-1"><span class="${o ? 'group-role' : 'accent'}">${svg}</span></p>
<div class="bubble-row"><div class="bubble"><div class="media bubble-media"><img${c(o, 'media-blur')} alt=""><img class="media-picture" alt="" data-status="loading"><button class="media-open${o ? ' bubble-media-open' : ''}"><span class="media-play">${svg}</span></button></div><span class="bubble-text"></span><span class="bubble-foot"><time>1</time></span></div></div>
<div class="bubble-row"><div class="bubble"><div class="media bubble-media"><img${c(o, 'media-blur')} alt=""><button class="media-failure">${svg}<span>a</span> b</button></div><span class="bubble-text"></span><span class="bubble-foot"><time>1</time></span></div></div>
<div class="bubble-row"><div class="bubble"><div class="media bubble-media"><div class="upload" data-state="waiting"><button${c(o, 'upload-cancel')}><svg class="upload-ring"><circle/><circle/></svg>${svg}</button><span${c(o, 'upload-text')} role="progressbar">1</span></div></div><span class="bubble-text"></span><span class="bubble-foot"><time>1</time></span></div></div>
<div class="bubble-row"><div class="bubble"><div class="media-audio"><div class="audio-player"><button${c(o, 'audio-play')} aria-busy="true">${svg}</button><div class="stack gap-half grow"><div${c(o, 'audio-bars')} role="slider"><span${c(o, 'audio-wave')}><i></i></span><span${c(o, 'audio-wave')}><i></i></span></div><span class="audio-time">1</span></div><button${c(o, 'audio-speed')}>1x</button></div><div class="upload-bar" data-state="x"><span${c(o, 'upload-track')}><span></span></span><span${c(o, 'upload-text')} role="progressbar">1</span><button${c(o, 'upload-cancel')}>${svg}</button></div></div></div></div>
<div class="bubble-row"><div class="bubble"><div class="media bubble-media media--hidden"><p class="${o ? 'media-hidden-title' : 'row gap-tight strong bold'}">${svg}a</p><p>b</p><button${c(o, 'media-reveal')}>c</button><button class="link-button">d</button></div></div></div></div></div></section></div></div>`
const browser = await launchTestBrowser()
let bad = 0
for (const options of [
  { hasTouch: false },
  { forcedColors: 'active' },
  { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
  { reducedMotion: 'reduce' },
] as const) {
  const read = async (css: string, o: boolean) => {
    const page = await (await browser.newContext(options)).newPage()
    await page.setContent(
      `<html data-theme="dark"><style>${css}</style><style>*,*::before,*::after{animation-play-state:paused!important;transition:none!important}</style><body>${html(o)}</body></html>`,
    )
    const result = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .map((e) =>
          [e, ...(['::before', '::after'] as const)].map((x) => {
            const s = typeof x === 'string' ? getComputedStyle(e, x) : getComputedStyle(e)
            return Object.fromEntries([...s].map((p) => [p, s.getPropertyValue(p)]))
          }),
        )
        .map((v, i) => ({
          v,
          name: (() => {
            const e = document.body.querySelectorAll('*')[i]
            return `${e?.parentElement?.tagName}.${e?.parentElement?.getAttribute('class')} > ${e?.tagName}.${e?.getAttribute('class')}`
          })(),
        })),
    )
    await page.context().close()
    return result
  }
  const a = await read(before, true),
    b = await read(after, false)
  console.log(JSON.stringify(options), a.length, b.length)
  for (const [i, x] of a.entries())
    for (const [j, props] of x.v.entries()) {
      const y = b[i]?.v[j] ?? {}
      const d = Object.keys(props)
        .filter((p) => props[p] !== y[p])
        .map((p) => `${p}: ${props[p]} -> ${y[p]}`)
      if (d.length > 0 && bad++ < 60) console.log(j, x.name, '=>', b[i]?.name, d.join('; ').slice(0, 300))
    }
}
console.log('bad', bad)
await browser.close()
process.exit()
