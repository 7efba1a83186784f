import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { REPORT_TITLES } from '../../../../shared/reports/screen-texts.ts'
import { Select } from '../../../core/ui/forms/select.tsx'
import { LockIcon } from '../../../model/calls/icons.tsx'
import { canReportCall, openCallReport } from '../../../model/calls/report-call.ts'
import { type CallDevice, listDevices, selectDevice } from '../call-actions.ts'
import type { Call } from '../call-state.ts'
import './call-settings.lazy.css'

const kindLabels: readonly [kind: MediaDeviceKind, label: string][] = [
  ['audioinput', callTexts.microphone],
  ['videoinput', callTexts.camera],
  ['audiooutput', callTexts.speaker],
]

/** The devices of the call and its security code. */
export function CallSettings({ call }: { call: Call }): ReactNode {
  const { devices, choose } = useDevices()
  return (
    <section className="call-settings" aria-label={callTexts.settings}>
      {devices === 'failed' && <p role="alert">{callTexts.devicesUnavailable}</p>}
      {devices !== 'failed' &&
        kindLabels.map(([kind, label]) => {
          const choices = devices.filter((device) => device.kind === kind)
          // A voice call has no camera to choose.
          if (choices.length === 0 || (kind === 'videoinput' && call.callType === 'voice')) return null
          return <DeviceChoice key={kind} label={label} devices={choices} choose={choose} />
        })}
      <p className="call-setting">
        <span>{callTexts.microphoneLevel}</span>
        <span className="call-level" aria-hidden="true" />
      </p>
      <SecurityCode code={call.securityCode} />
      {canReportCall(call) && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openCallReport(call)}>
          {REPORT_TITLES.call}
        </button>
      )}
    </section>
  )
}

/** The devices of this machine, followed while they are plugged and unplugged. */
function useDevices(): { devices: readonly CallDevice[] | 'failed'; choose: (device: CallDevice) => Promise<void> } {
  const [devices, setDevices] = useState<readonly CallDevice[] | 'failed'>([])
  const refresh = useCallback(() => listDevices().then(setDevices, () => setDevices('failed')), [])
  useEffect(() => {
    void refresh()
    navigator.mediaDevices?.addEventListener('devicechange', refresh)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', refresh)
  }, [refresh])
  const choose = async ({ kind, deviceId }: CallDevice): Promise<void> => {
    await selectDevice(kind, deviceId)
    await refresh()
  }
  return { devices, choose }
}

interface DeviceChoiceProps {
  label: string
  devices: readonly CallDevice[]
  choose: (device: CallDevice) => Promise<void>
}

function DeviceChoice({ label, devices, choose }: DeviceChoiceProps): ReactNode {
  const selected = devices.find(({ isSelected }) => isSelected) ?? devices[0]
  const change = (deviceId: string): void => {
    const device = devices.find((other) => other.deviceId === deviceId)
    if (device) void choose(device)
  }
  return (
    <Select
      className="call-setting"
      label={label}
      options={devices.map((device) => [device.deviceId, device.label])}
      value={selected?.deviceId}
      onChange={change}
    />
  )
}

function SecurityCode({ code }: { code: string | null }): ReactNode {
  return (
    <div className="call-setting">
      <h3>
        <LockIcon size={16} />
        {callTexts.securityCode}
      </h3>
      {code === null ? <p>{callTexts.securityPending}</p> : <p className="call-code">{code}</p>}
      <p>{callTexts.securityExplanation}</p>
    </div>
  )
}
