/**
 * Slash command and mention. The answer to a command travels in its acknowledgement: it needs no second call that could fail. Where it is
 * not known whether we are in the channel, that is asked first, so that nobody reads two answers of which one is not true.
 */
import type { App } from '@slack/bolt'
import type { HeadwaterError } from '../errors.ts'
import { invite } from '../report/messages/alone.ts'
import type { AskPorts, Reply } from './ask.ts'
import { ask } from './ask.ts'
import type { Channels } from './channels.ts'
import { answerContent } from './content.ts'
import type { Ourselves } from './identity.ts'
import type { InFlight } from './in-flight.ts'
import type { Question } from './payloads.ts'
import { commandOf, mentionOf } from './payloads.ts'
import type { TellAlone } from './tell-alone.ts'

export interface CommandPorts extends AskPorts {
  readonly channels: Channels
  readonly ourselves: Ourselves
  readonly tellAlone: TellAlone
  readonly inFlight: InFlight
  /** Thrown where an event has to come again. */
  readonly notStored: () => HeadwaterError
}

export function onCommands(app: App, ports: CommandPorts): void {
  app.command(/^\//, async ({ ack, body }) => {
    const question = commandOf(body)
    const answer = await ask(question, body.command, ports)
    const later = answer.diagnoses !== null && !ports.channels.wasIn(question.channel)
    await (later ? ack() : ack({ response_type: 'ephemeral', ...answerContent(answer.say.text, answer.say.body) }))
    enter(question, answer, later, ports)
  })

  // Acknowledged only when this returns: what was not stored is brought again by Slack.
  app.event('app_mention', async ({ body, context }) => {
    const question = mentionOf(body)
    if (question === null) return
    const answer = await ask(question, `@${ports.ourselves.known()?.name ?? 'headwater'}`, ports)
    const first = (context.retryNum ?? 0) === 0
    if (first) ports.inFlight.later(() => tell(question, answer.say, ports))
    if (answer.again) throw ports.notStored()
    enter(question, answer, false, ports)
  })
}

function tell(question: Question, say: Reply['say'], ports: CommandPorts): ReturnType<TellAlone> {
  const { by, channel, thread, answerTo } = question
  return ports.tellAlone({ actor: by, channel, thread, answerTo }, say)
}

/**
 * The diagnosis runs whether or not its answer can be posted; where it cannot, the asker is told how to let us in.
 * @param unanswered the asker has read nothing yet
 */
function enter(question: Question, { say, diagnoses }: Reply, unanswered: boolean, ports: CommandPorts): void {
  if (diagnoses === null) return
  ports.inFlight.later(async () => {
    if ((await ports.channels.enter(question.channel)) !== 'out') {
      if (unanswered) await tell(question, say, ports)
      return
    }
    const { name } = ports.ourselves.known() ?? (await ports.ourselves.ask())
    await tell(question, invite(diagnoses, name), ports)
  })
}
