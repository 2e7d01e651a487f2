/** Buttons. Those that decide at once are stored before they are acknowledged; those that ask for more open their window first. */
import type { App } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { refusals } from '../report/messages/alone.ts'
import type { Said } from '../report/messages/incident/home.ts'
import { actionPrefix } from './blocks/buttons.ts'
import type { DecidePorts } from './decide.ts'
import { decide } from './decide.ts'
import type { InFlight } from './in-flight.ts'
import { outcomeOf } from './outcome.ts'
import type { Pressed } from './payloads.ts'
import { pressOf } from './payloads.ts'
import type { TellAlone } from './tell-alone.ts'
import { asksForMore, modal } from './views.ts'

export interface ActionPorts extends DecidePorts {
  readonly web: WebClient
  readonly tellAlone: TellAlone
  readonly inFlight: InFlight
}

export function onActions(app: App, ports: ActionPorts): void {
  app.action(new RegExp(`^${actionPrefix}`), async ({ ack, body }) => {
    const pressed = pressOf(body)
    if (pressed === null) {
      ports.log.warn('a button that is none of ours was pressed')
      return await ack()
    }
    if (asksForMore(pressed.button)) {
      // The permission to open a window lasts 3 s from the click, delivery included.
      ports.inFlight.later(() => open(pressed, ports))
      return await ack()
    }
    const refusal = await decide(pressed, '', null, ports)
    await ack()
    if (refusal !== null) ports.inFlight.later(() => tell(pressed, refusal, ports))
  })
}

async function open(pressed: Pressed, ports: ActionPorts): Promise<void> {
  const outcome = await outcomeOf(() => ports.web.views.open({ trigger_id: pressed.trigger, view: modal(pressed) }))
  if (outcome.kind === 'done') return
  ports.log.warn('a window could not be opened', {
    incident: pressed.incident,
    button: pressed.button,
    why: outcome.kind === 'refused' ? outcome.code : outcome.why,
  })
  if (outcome.kind === 'refused') await tell(pressed, refusals.tooLate, ports)
}

function tell({ by, channel, answerTo }: Pressed, say: Said, ports: ActionPorts): ReturnType<TellAlone> {
  return ports.tellAlone({ actor: by, channel, answerTo }, say)
}
