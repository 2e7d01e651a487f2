/** A few of somebody's own characters, to say what was not understood. Still foreign text: whoever shows it escapes it. */
export function quoted(text: string): string {
  const points = [...text.replace(/[\p{Cc}`]/gu, ' ').trim()]
  return `"${points.length > 40 ? `${points.slice(0, 39).join('')}…` : points.join('')}"`
}
