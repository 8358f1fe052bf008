import { parseScript, type ScriptPiece } from "./parse-script.ts"

/** A piece of a command's template, in the order of its text. */
export type TemplatePiece =
  | { kind: "text"; text: string }
  /** `$1`, `$2`, …: a word of the arguments. */
  | { kind: "argument"; position: number }
  /** `$ARGUMENTS`: all of them, as they were typed. */
  | { kind: "arguments" }
  /** `` !`…` ``: a script whose output goes there. */
  | { kind: "run"; script: ScriptPiece[] }
  /** `@…`: a file or an agent; the name, which may have placeholders. */
  | { kind: "mention"; name: TemplatePiece[] }

export interface Template {
  pieces: TemplatePiece[]
  /** Where arguments go: by position, or null for all of them. */
  positions: ReadonlySet<number | null>
  /** The highest position: it takes the words that are left over. 0 for none. */
  last: number
}

/** OpenCode's: a command between backticks, a name after an `@` that begins a word, a placeholder. */
const special = /!`([^`]+)`|(?<![\w`])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)|\$([1-9]\d?)(?!\d)|\$ARGUMENTS\b/g
const placeholder = /\$([1-9]\d?)(?!\d)|\$ARGUMENTS\b/g
/** `` !` `` that no later backtick closes. Three backticks are a fence. */
const unclosed = /!`(?!`)[^`]*$/

/** Commands whose output one template takes. */
const maxRuns = 20

/**
 * Reads a template. Placeholders are `$1` to `$99` and `$ARGUMENTS`.
 * @throws Error that says what is wrong with it
 */
export function parseTemplate(text: string): Template {
  if (unclosed.test(text)) {
    throw new Error('a command that begins with "!`" has no closing backtick')
  }
  const pieces = split(text.trim(), special, (match): TemplatePiece => {
    const [whole, script, name] = match
    if (script !== undefined) return { kind: "run", script: parseScript(script) }
    if (name) return { kind: "mention", name: placeholders(name) }
    if (name === "") return { kind: "text", text: whole }
    return placeholderOf(whole)
  })
  const runs = pieces.filter(({ kind }) => kind === "run").length
  if (runs > maxRuns) throw new Error(`it runs ${runs} commands, and the most is ${maxRuns}`)
  const positions = pieces.flatMap(positionsIn)
  return { pieces, positions: new Set(positions), last: Math.max(0, ...positions.map((position) => position ?? 0)) }
}

/** Where arguments go in a piece; null stands for all of them. */
function positionsIn(piece: TemplatePiece): (number | null)[] {
  if (piece.kind === "argument") return [piece.position]
  if (piece.kind === "arguments") return [null]
  if (piece.kind === "mention") return piece.name.flatMap(positionsIn)
  if (piece.kind === "text") return []
  return piece.script.flatMap((part) => (part.kind === "place" ? [part.position] : []))
}

/** Text with placeholders, and nothing else in it. */
function placeholders(text: string): TemplatePiece[] {
  return split(text, placeholder, ([whole]) => placeholderOf(whole))
}

function placeholderOf(text: string): TemplatePiece {
  return text === "$ARGUMENTS" ? { kind: "arguments" } : { kind: "argument", position: Number(text.slice(1)) }
}

function split(text: string, pattern: RegExp, read: (match: RegExpExecArray) => TemplatePiece): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ kind: "text", text: text.slice(at, match.index) })
    pieces.push(read(match))
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) })
  return pieces
}
