/** Keeps a walked way as the demo plays it back (src/demo/story.ts): free of this machine, and of the number of the rig's session. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { machineIn } from '../rig/keep-drill.ts'
import { lookLines, packLooks } from './record-looks.ts'
import type { Walked } from './walked.ts'

/** @returns what was written, with sizes. Throws when something of this machine is left in it. */
export function keepStory(folder: string, walked: Walked, recorded: string): string[] {
  const { described, triggerMs, alert, moments, turned, outcome, looks, ending } = walked
  const anywhere = elsewhere(described)
  const story = { story: 1, recorded, pipeline: described, triggerMs, alert, moments, turned, outcome }
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    [`${ending}.story.json`, free(anywhere(`${JSON.stringify(story, null, 1)}\n`))],
    [`${ending}.looks.br`, packLooks(free(anywhere(lookLines(looks))))],
  ]
  mkdirSync(folder, { recursive: true })
  return files.map(([name, content]) => {
    writeFileSync(join(folder, name), content)
    return `${name}: ${content.length} bytes`
  })
}

/** Names of the rig's session become names that a pipeline has. */
function elsewhere({ checkpoint, topic }: Walked['described']): (text: string) => string {
  const names = [
    [dirname(String(checkpoint)), '/data/orders'],
    [String(topic), 'orders'],
  ] as const
  return (text) => names.reduce((said, [here, there]) => said.replaceAll(here, there), text)
}

function free(text: string): string {
  const left = machineIn(text)
  if (left.length > 0) throw new Error(`this machine still stands in it: ${left.slice(0, 3).join(', ')}`)
  return text
}
