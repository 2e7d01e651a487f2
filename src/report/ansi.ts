/** The only place that knows how a terminal is coloured. Without colour every paint returns its text as it is. */

export type Tone = 'plain' | 'strong' | 'dim' | 'bad' | 'good' | 'unsure'

export type Paint = (tone: Tone, text: string) => string

const codes: Readonly<Record<Tone, string>> = { plain: '', strong: '1', dim: '2', bad: '1;31', good: '1;32', unsure: '1;33' }

export function painter(color: boolean): Paint {
  return (tone, text) => (color && codes[tone] !== '' && text !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text)
}
