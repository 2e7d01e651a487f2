/** How much there is in a JSON text, told before it is parsed: a parser builds everything before anybody can look at it. */

export const jsonBounds = { depth: 32, elements: 50_000 } as const

/** @returns in a few words what there is too much of; null = it may be parsed (and may still be no JSON) */
export function tooMuchJson(text: string, bounds: { readonly depth: number; readonly elements: number } = jsonBounds): string | null {
  let depth = 0
  let elements = 1
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inText) {
      if (code === backslash) i++
      else if (code === quote) inText = false
      continue
    }
    if (code === quote) inText = true
    else if (code === comma) elements++
    else if (code === openBrace || code === openBracket) {
      depth++
      elements++
    } else if (code === closeBrace || code === closeBracket) depth--
    if (depth > bounds.depth) return `nested deeper than ${bounds.depth} levels`
    if (elements > bounds.elements) return `more than ${bounds.elements.toLocaleString('en-US')} values`
  }
  return null
}

const [quote, comma, backslash, openBrace, openBracket, closeBrace, closeBracket] = [...'",\\{[}]'].map((mark) => mark.charCodeAt(0))
