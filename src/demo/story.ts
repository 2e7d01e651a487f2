/**
 * A story: one live run of an incident's whole way on a real rig, kept so that it can be played back. Two files beside each other in
 * `recordings/`: NAME.story.json says what people did and when, NAME.looks.br holds what the sources answered, look by look.
 *
 * Looks, not one long bundle cut at an instant: a bundle of the end no longer knows what was in flight, running or unanswered at an
 * earlier time, and whoever cuts it would have to make that up. A look is exactly what could be known when it was taken.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { HeadwaterError } from '../errors.ts'
import type { Findings } from '../incident/findings.ts'

/** What the sources answered to one question; times in it are those of the live run. */
export interface LookRecord {
  /** Epoch ms. */
  readonly askedAtMs: number
  readonly turns: readonly {
    readonly source: string
    /** 1 = first look, 2 = second look. */
    readonly turn: 1 | 2
    readonly findings: Findings
  }[]
}

/** As Alertmanager sends it; of no interest here is what else stands in it. */
export interface AlertBody {
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>>; readonly startsAt: string }[]
}

export interface Story {
  readonly story: 1
  /** Where and when, in words. */
  readonly recorded: string
  /** As below `pipelines.<name>` of the configuration, without people, channels and alerts. */
  readonly pipeline: { readonly topic: string } & Readonly<Record<string, unknown>>
  /** Ms between the triggers of the reader; 0 = back to back. They stand on multiples of it, so a moved recording has to as well. */
  readonly triggerMs: number
  /** Body of the alert, as it was sent to /webhooks/alertmanager. */
  readonly alert: AlertBody
  /** Epoch ms of the live run. */
  readonly moments: { readonly alertMs: number; readonly appliedMs: number }
  readonly turned: {
    /** What was really done, one sentence. */
    readonly really: string
    /** Whether that is what was agreed. */
    readonly right: boolean
  }
}

export interface Recorded extends Story {
  readonly name: string
  /** By `askedAtMs`, ascending; at least one. */
  readonly looks: readonly LookRecord[]
}

const folder = join(import.meta.dirname, 'recordings')
const ending = '.story.json'

/** @returns names of the stories that are shipped */
export function storyNames(from: string = folder): string[] {
  if (!existsSync(from)) return []
  return readdirSync(from)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
}

/** @throws HeadwaterError bundle_mistaken when the files are not what they should be */
export async function readStory(name: string, from: string = folder): Promise<Recorded> {
  const story = JSON.parse(await readFile(join(from, `${name}${ending}`), 'utf8')) as Story
  const lines = await promisify(brotliDecompress)(await readFile(join(from, `${name}.looks.br`)))
  const looks = lines
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LookRecord)
  if (story.story !== 1 || looks.length === 0) throw new HeadwaterError('bundle_mistaken', `${name}: no story of version 1 with looks`)
  return { ...story, name, looks }
}
