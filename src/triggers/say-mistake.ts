/** The first thing that is wrong with a body, in one sentence for whoever sends it: where, and what would be right. Never the value. */
import type { z } from 'zod'

export function sayMistake(error: z.ZodError): string {
  const issue = error.issues[0]!
  const path = issue.path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${clip(String(key))}`), '')
  const say = issue.code === 'unrecognized_keys' ? `the key ${clip(issue.keys[0] ?? '')} is not known here` : issue.message
  return path === '' ? say : `${path.replace(/^\./, '')}: ${say}`
}

const clip = (key: string): string => (key.length > 40 ? `${key.slice(0, 39)}…` : key)
