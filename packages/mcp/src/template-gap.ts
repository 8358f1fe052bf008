/** Where an address that is being typed stands in a template of addresses. */
export type TemplateGap =
  /** In a value of it. */
  | {
      kind: "value"
      /** Of the variable. */
      name: string
      typed: string
      /** Where the value begins in the address. */
      from: number
      /** The values before it, by variable. */
      before: Record<string, string>
      /** What stands after the value, up to the next one. */
      next: string
      isLast: boolean
      /** How a value is written in the address. */
      write(value: string): string
    }
  /** In what every address of it has: up to its next value. */
  | { kind: "text"; whole: string }

/** A template's texts and values by turns; a value of another kind than `{name}`, `{+name}` ends what is understood. */
function piecesOf(template: string): { text: string; name: string; isRaw: boolean }[] {
  const pieces: { text: string; name: string; isRaw: boolean }[] = []
  let at = 0
  for (const match of template.matchAll(/\{(\+?)([\w.]+)\}/g)) {
    const text = template.slice(at, match.index)
    if (text.includes("{")) break
    pieces.push({ text, name: match[2] ?? "", isRaw: match[1] === "+" })
    at = match.index + match[0].length
  }
  return pieces
}

/** Null for an address that the template does not make, or whose values are all there. */
export function templateGap(template: string, typed: string): TemplateGap | null {
  const pieces = piecesOf(template)
  const before: Record<string, string> = {}
  let at = 0
  for (const [index, { text, name, isRaw }] of pieces.entries()) {
    const rest = typed.slice(at)
    if (text.startsWith(rest) && rest !== text) return { kind: "text", whole: typed.slice(0, at) + text }
    if (!rest.startsWith(text)) return null
    at += text.length
    const following = pieces[index + 1]
    const isLast = following === undefined
    const next = following?.text ?? template.slice(template.lastIndexOf("}") + 1)
    const end = next === "" ? -1 : typed.indexOf(next, at)
    if (end < 0) {
      const write = isRaw ? encodeURI : encodeURIComponent
      return { kind: "value", name, typed: unwritten(typed.slice(at)), from: at, before, next, isLast, write }
    }
    before[name] = unwritten(typed.slice(at, end))
    at = end
  }
  return null
}

function unwritten(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
