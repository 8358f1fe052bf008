import { isDeepStrictEqual } from "node:util"
import { analyseScript } from "../../acts/tool/command-analysis.ts"
import { innerCommands } from "../../acts/tool/inner-commands.ts"
import { holdsScript } from "../../acts/tool/quoted-scripts.ts"
import type { ShellCommand } from "../../acts/tool/shell-command.ts"
import type { CommandPiece } from "../../ground/schema/index.ts"

/** A piece of a command's template, in text order. */
type TemplatePiece =
  | { kind: "text"; text: string }
  /** `$1`, `$2`, …: one word of the arguments. */
  | { kind: "argument"; position: number }
  /** `$ARGUMENTS`: all arguments, as typed. */
  | { kind: "arguments" }
  /** `` !`…` ``: a script that is replaced by its output. */
  | { kind: "run"; script: ScriptPiece[] }
  /** `@…`: a file or an agent; its name may contain placeholders. */
  | { kind: "mention"; name: TemplatePiece[] }

export interface Template {
  pieces: TemplatePiece[]
  /** The positions of arguments that the template uses; null means all arguments. */
  positions: ReadonlySet<number | null>
  /** The highest position; it takes all remaining words. 0 for none. */
  last: number
}

/** OpenCode's syntax: a command in backticks, a name after an `@` at the start of a word, a placeholder. */
const special = /!`([^`]+)`|(?<![\w`])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)|\$([1-9]\d?)(?!\d)|\$ARGUMENTS\b/g
const placeholder = /\$([1-9]\d?)(?!\d)|\$ARGUMENTS\b/g
/** `` !` `` without a closing backtick. Three backticks are a fence. */
const unclosed = /!`(?!`)[^`]*$/

/** Most commands that one template may run. */
const maxRuns = 20

/**
 * Reads a template. Placeholders are `$1` to `$99` and `$ARGUMENTS`.
 * @throws Error that says what is wrong with the template
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

/** The positions of arguments in a piece; null means all arguments. */
function positionsIn(piece: TemplatePiece): (number | null)[] {
  if (piece.kind === "argument") return [piece.position]
  if (piece.kind === "arguments") return [null]
  if (piece.kind === "mention") return piece.name.flatMap(positionsIn)
  if (piece.kind === "text") return []
  return piece.script.flatMap((part) => (part.kind === "place" ? [part.position] : []))
}

/** The pieces of a text in which only placeholders are special. */
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

/** Most UTF-16 units of an expanded template; a prompt may not have more bytes. */
const maxLength = 1_048_576

interface FilledTemplate {
  /** Text, and between it the commands to run. Placeholders in these are not replaced again. */
  pieces: CommandPiece[]
  /** The names after `@` in the template, in order. */
  mentions: string[]
}

/**
 * Puts arguments into a template: `$1` and so on by words, where the last one takes all remaining words, and
 * `$ARGUMENTS` as typed. A template without placeholders gets the arguments at its end. Arguments are always plain
 * text, whatever they contain.
 * @throws Error when they do not fit
 */
export function fillInTemplate({ pieces, positions, last }: Template, typed: string): FilledTemplate {
  const words = splitArguments(typed)
  const fillingOf = (position: number | null): Filling => {
    if (position === null) return { words, whole: typed.trim() }
    const own = position === last ? words.slice(position - 1) : words.slice(position - 1, position)
    return { words: own, whole: own.join(" ") }
  }
  const filled: FilledTemplate = { pieces: [], mentions: [] }
  let length = 0
  const add = (piece: CommandPiece) => {
    length += piece.type === "text" ? piece.text.length : piece.command.length
    if (length > maxLength)
      throw new Error("with these arguments the prompt is longer than 1 MB; put the text into a file")
    const before = filled.pieces.at(-1)
    if (piece.type === "text" && before?.type === "text") before.text += piece.text
    else filled.pieces.push(piece)
  }
  const textOf = (piece: TemplatePiece): string => {
    if (piece.kind === "text") return piece.text
    if (piece.kind === "arguments") return fillingOf(null).whole
    return piece.kind === "argument" ? fillingOf(piece.position).whole : ""
  }
  for (const piece of pieces) {
    if (piece.kind === "run") {
      add({ type: "run", command: fillInScript(piece.script, fillingOf).trim() })
    } else if (piece.kind === "mention") {
      const name = piece.name.map(textOf).join("")
      add({ type: "text", text: `@${name}` })
      if (name !== "") filled.mentions.push(name)
    } else add({ type: "text", text: textOf(piece) })
  }
  if (positions.size === 0 && typed.trim() !== "") add({ type: "text", text: `\n\n${typed.trim()}` })
  return { pieces: trimmed(filled.pieces), mentions: [...new Set(filled.mentions)] }
}

/** Removes white space at the beginning and the end. */
function trimmed(pieces: CommandPiece[]): CommandPiece[] {
  return pieces.flatMap((piece, index): CommandPiece[] => {
    if (piece.type === "run") return [piece]
    const start = index === 0 ? piece.text.trimStart() : piece.text
    const text = index === pieces.length - 1 ? start.trimEnd() : start
    return text === "" ? [] : [{ type: "text", text }]
  })
}

/**
 * The positions that a template uses but the arguments lack. Words of the hint in square brackets are optional:
 * `<branch> [base]` needs one word.
 */
export function missingArguments({ positions, last }: Template, hint: string | null, typed: string): number[] {
  const given = splitArguments(typed).length
  const hinted = hint?.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? []
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter(
    (position) => position > given && positions.has(position) && !hinted[position - 1]?.startsWith("["),
  )
  const wantsSome = positions.has(null) && given === 0 && hinted[0]?.startsWith("<") === true
  return missing.length === 0 && wantsSome ? [1] : missing
}

/** The value for a placeholder: its words, and the same as one text. */
interface Filling {
  words: readonly string[]
  whole: string
}

/**
 * Inside these constructs the shell does not read a quoted word as a word: an expression, a comment, a here document.
 */
const awkward = /\(\(|\[\[|\$\{|<<|\$'|(?:^|[\s;&|(])#/
/** Most levels of nested scripts that are compared. */
const maxDepth = 4

/**
 * Puts arguments into a script as quoted words, and checks that they stay plain words: the script must have the same
 * commands, words and files as with a harmless word.
 * @throws Error that says why they cannot be put in
 */
function fillInScript(pieces: readonly ScriptPiece[], fillingOf: (position: number | null) => Filling): string {
  const filled = putIn(pieces, fillingOf)
  if (pieces.every(({ kind }) => kind === "text")) return filled
  const written = pieces.map((piece) => (piece.kind === "text" ? piece.text : "…")).join("")
  if (awkward.test(written)) {
    const words = "use them as plain words, outside of (( )), [[ ]], ${ }, here documents and comments"
    throw new Error(`arguments cannot be put into "${written}": ${words}`)
  }
  const plain = putIn(pieces, (position) => ({ words: fillingOf(position).words.map(() => "x"), whole: "x" }))
  const [shape, plainShape] = [shapeOf(filled), shapeOf(plain)]
  if (shape === null || plainShape === null || !isDeepStrictEqual(shape, plainShape)) {
    throw new Error(`these arguments would change what "${written}" runs`)
  }
  return filled
}

function putIn(pieces: readonly ScriptPiece[], fillingOf: (position: number | null) => Filling): string {
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text
      const { words, whole } = fillingOf(piece.position)
      // Inside double quotes: close them, insert the quoted word, and open them again.
      return piece.double ? `"${quote(whole)}"` : words.map(quote).join(" ")
    })
    .join("")
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** The structure of the commands of a script, without values. Null when the script cannot be analysed. */
function shapeOf(script: string): unknown {
  return analyseScript(script)?.map((command) => shapeOfCommand(command, 0)) ?? null
}

function shapeOfCommand(command: ShellCommand, depth: number): unknown {
  const { words, assignments, writes, reads, evaluates } = command
  const { commands, unknown } = innerCommands(command)
  return {
    words: words.map(({ literal, tilde }) => [literal, tilde]),
    assignments: assignments.length,
    writes: writes.map((target) => target === null),
    reads: reads.length,
    evaluates: evaluates !== undefined,
    script: holdsScript(command),
    unknown,
    inner: depth < maxDepth ? commands.map((inner) => shapeOfCommand(inner, depth + 1)) : commands.length,
  }
}

/** A piece of a template's script: literal text, or the place of an argument. */
type ScriptPiece =
  | { kind: "text"; text: string }
  /** `position` is null for all arguments. `double`: the place is inside double quotes. */
  | { kind: "place"; position: number | null; double: boolean }

/** A placeholder, a text in single quotes, an escaped character, or the start of a substitution. */
const token = /^(?:\$(?:([1-9]\d?)(?!\d)|ARGUMENTS\b)|'[^']*'|\\[\s\S]|\$\()/

/** Finds the places for arguments as the shell would: none in single quotes or after a backslash. */
function parseScript(script: string): ScriptPiece[] {
  const pieces: ScriptPiece[] = []
  const within: ("plain" | "double")[] = ["plain"]
  const addText = (text: string) => {
    const before = pieces.at(-1)
    if (before?.kind === "text") before.text += text
    else pieces.push({ kind: "text", text })
  }
  for (let at = 0; at < script.length; ) {
    const double = within.at(-1) === "double"
    const [found = script.charAt(at), position] = token.exec(script.slice(at)) ?? []
    // Inside double quotes a single quote is a plain character.
    const taken = double && found.startsWith("'") ? "'" : found
    at += taken.length
    if (taken === "$ARGUMENTS" || position !== undefined) {
      pieces.push({ kind: "place", position: position === undefined ? null : Number(position), double })
      continue
    }
    addText(taken)
    if (taken === "$(" || (taken === "(" && !double)) within.push("plain")
    else if (taken === ")" && !double && within.length > 1) within.pop()
    else if (taken === '"' && double) within.pop()
    else if (taken === '"') within.push("double")
  }
  return pieces
}

/** A quoted word, or characters in which `"…"` keeps its spaces. An apostrophe inside a word is a plain character. */
const word = /(?<=^|\s)'[^']*'(?=\s|$)|(?:"[^"]*"|\S)+/g

/** Splits the text after a command's name into words; quotes keep words together and are removed. */
export function splitArguments(text: string): string[] {
  return (text.match(word) ?? []).map((found) =>
    found.length > 1 && found.startsWith("'") && found.endsWith("'")
      ? found.slice(1, -1)
      : found.replace(/"([^"]*)"/g, "$1"),
  )
}
