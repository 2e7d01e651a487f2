/** Plain values that stand in several places of the configuration file. */
import { z } from 'zod'

export const name = (of: string, example: string) =>
  z.string(`write ${of} as text, e.g. ${example} (in quotes if it is all digits)`).min(1, `write ${of}, e.g. ${example}`)

/** The environment variable that holds a secret: the secret itself never stands in the file. */
export const variable = (of: string, example: string) => {
  const right = `name the environment variable that holds ${of}, e.g. ${example}`
  return z.string(right).regex(/^[A-Za-z_]\w*$/, right)
}

export const listen = (example: string) => {
  const right = `write host:port to listen on, e.g. ${example}`
  return z
    .string(right)
    .regex(/^([\w.-]+|\[[0-9a-fA-F:]+\]):(0|[1-9]\d{0,4})$/, right)
    .refine((text) => portOf(text) <= 65_535, 'a port is at most 65535')
    .transform((text) => ({ host: text.slice(0, text.lastIndexOf(':')).replace(/^\[|\]$/g, ''), port: portOf(text) }))
}

/** Slack's own id of something: names change, ids do not. */
export const slackId = (of: string, letters: string, example: string, orElse = '(?!)') => {
  const right = `write Slack's id of ${of}, e.g. ${example}`
  return z.string(right).regex(new RegExp(`^(?:[${letters}][A-Z0-9]{2,}|${orElse})$`), right)
}

const theChannel = ['the channel (at the end of what its name opens)', 'CG', 'C0123ABCD'] as const
export const channelId = slackId(...theChannel)
/** In place of a channel: told nowhere. */
export const nowhere = 'none'
export const channelOrNowhere = slackId(...theChannel, nowhere)

const portOf = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1))
