/** Which waiting input was read, and how much of it. */
export interface Mark {
  /** Its number in the order of arrival. */
  readonly n: string
  /** Arrivals that had been dealt with when it was read. */
  readonly dealt: number
  /** All its arrivals when it was read. */
  readonly deliveries: number
}

export function writeMark({ n, dealt, deliveries }: Mark): string {
  return `${n}.${dealt}.${deliveries}`
}

export function readMark(text: string): Mark {
  const [n = '', dealt = '', deliveries = ''] = text.split('.')
  return { n, dealt: Number(dealt), deliveries: Number(deliveries) }
}
