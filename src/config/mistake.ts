/** One thing that is wrong in a configuration file: where, what, and what would be right. */
export interface Mistake {
  /** e.g. ['pipelines', 'orders', 'brokers', 0]; empty for the file as a whole. */
  readonly path: readonly (string | number)[]
  /** 1-based; null where the file as a whole is meant. */
  readonly at: { readonly line: number; readonly column: number } | null
  readonly what: string
  readonly right: string
}

/** `headwater.yaml:4:15 pipelines.orders.brokers[0]: "kafka" is not an address; write host:port, e.g. kafka:9092` */
export function mistakeLine(file: string, mistake: Mistake): string {
  const place = mistake.at === null ? file : `${file}:${mistake.at.line}:${mistake.at.column}`
  const path = pathText(mistake.path)
  return `${place}${path === '' ? '' : ` ${path}`}: ${mistake.what}; ${mistake.right}`
}

/** ['pipelines', 'orders', 'brokers', 0] → pipelines.orders.brokers[0] */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const word = /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
    return text === '' ? word : `${text}.${word}`
  }, '')
}
