/** Goes through the characters of a pattern, and keeps the first mistake that is found in it. */

/** After the first mistake it is at the end of the text, so that everything winds up by itself. */
export class Reader {
  mistake = ''
  private at = 0
  private points: readonly string[]

  constructor(pattern: string) {
    this.points = [...pattern]
  }

  done(): boolean {
    return this.at >= this.points.length
  }

  peek(): string {
    return this.points[this.at] ?? ''
  }

  next(): string {
    return this.points[this.at++] ?? ''
  }

  take(text: string): boolean {
    if (this.points.slice(this.at, this.at + text.length).join('') !== text) return false
    this.at += text.length
    return true
  }

  /** What matches from here on, and is left behind. */
  match(form: RegExp): RegExpExecArray | null {
    const found = form.exec(this.points.slice(this.at, this.at + 64).join(''))
    if (found !== null) this.at += [...found[0]].length
    return found
  }

  fail(mistake: string): void {
    if (this.mistake === '') this.mistake = mistake
    this.at = this.points.length
  }
}
