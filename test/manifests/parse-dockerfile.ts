/** A Dockerfile as its stages and their steps. Strict: what it does not know is no step of ours. */

export type Step =
  | { readonly does: 'env'; readonly name: string; readonly value: string }
  | { readonly does: 'workdir'; readonly path: string }
  | { readonly does: 'copy'; readonly from: string | null; readonly what: readonly string[]; readonly to: string }
  | { readonly does: 'run'; readonly command: string }
  | { readonly does: 'user'; readonly user: string }
  | { readonly does: 'expose'; readonly ports: readonly number[] }
  | { readonly does: 'stopsignal'; readonly signal: string }
  | { readonly does: 'healthcheck'; readonly options: Readonly<Record<string, string>>; readonly command: readonly string[] }
  | { readonly does: 'entrypoint'; readonly command: readonly string[] }
  | { readonly does: 'cmd'; readonly command: readonly string[] }

export interface Stage {
  readonly image: string
  /** '' = the last one, which needs no name. */
  readonly name: string
  readonly steps: readonly Step[]
}

/** @throws Error with the line that is not understood */
export function parseDockerfile(text: string): Stage[] {
  const stages: { image: string; name: string; steps: Step[] }[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    const from = /^FROM (\S+)(?: AS (\S+))?$/.exec(line)
    if (from !== null) stages.push({ image: from[1]!, name: from[2] ?? '', steps: [] })
    else if (stages.length === 0) throw new Error(`before the first FROM: ${line}`)
    else stages.at(-1)!.steps.push(stepOf(line))
  }
  return stages
}

function stepOf(line: string): Step {
  const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
  switch (word) {
    case 'ENV': {
      const [, name, value] = /^(\w+)=(\S+)$/.exec(rest) ?? []
      if (name !== undefined) return { does: 'env', name, value: value! }
      break
    }
    case 'WORKDIR':
      return { does: 'workdir', path: rest }
    case 'COPY': {
      const [, from, paths] = /^(?:--from=(\S+) )?([^-].*)$/.exec(rest) ?? []
      const words = paths?.split(' ') ?? []
      if (words.length > 1) return { does: 'copy', from: from ?? null, what: words.slice(0, -1), to: words.at(-1)! }
      break
    }
    case 'RUN':
      return { does: 'run', command: rest }
    case 'USER':
      return { does: 'user', user: rest }
    case 'EXPOSE':
      return { does: 'expose', ports: rest.split(' ').map(Number) }
    case 'STOPSIGNAL':
      return { does: 'stopsignal', signal: rest }
    case 'HEALTHCHECK': {
      const [, options = '', command] = /^((?:--[a-z-]+=\S+ )*)CMD (\[.*\])$/.exec(rest) ?? []
      if (command === undefined) break
      const pairs = [...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name, value]) => [name!, value!])
      return { does: 'healthcheck', options: Object.fromEntries(pairs) as Record<string, string>, command: JSON.parse(command) as string[] }
    }
    case 'ENTRYPOINT':
    case 'CMD':
      // The shell form would swallow the signal to stop.
      if (rest.startsWith('[')) return { does: word === 'CMD' ? 'cmd' : 'entrypoint', command: JSON.parse(rest) as string[] }
  }
  throw new Error(`not understood: ${line}`)
}

/** The step of a kind that counts: the last one. */
export function last<Does extends Step['does']>(stage: Stage, does: Does): Extract<Step, { does: Does }> | undefined {
  return stage.steps.findLast((step): step is Extract<Step, { does: Does }> => step.does === does)
}
