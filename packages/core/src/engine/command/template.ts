import { isDeepStrictEqual } from "node:util"
import { analyseScript } from "../../acts/tool/command-analysis.ts"
import { innerCommands } from "../../acts/tool/inner-commands.ts"
import { holdsScript } from "../../acts/tool/quoted-scripts.ts"
import type { ShellCommand } from "../../acts/tool/shell-command.ts"
import type { CommandPiece } from "../../ground/schema/index.ts"

/** A piece of a command's template, in the order of its text. */
type TemplatePiece =
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

/** UTF-16 units of a filled in template; a prompt has no more bytes. */
const maxLength = 1_048_576

interface FilledTemplate {
  /** Text, and the commands whose output goes between. Nothing in them is read as a placeholder again. */
  pieces: CommandPiece[]
  /** What `@` names in the template, in its order. */
  mentions: string[]
}

/**
 * Puts arguments into a template: `$1` and so on by words, where the last takes what is left over, and `$ARGUMENTS` as
 * they were typed. A template that takes none gets them at its end. What arguments hold is text, whatever it looks like.
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

/** Without white space around it all. */
function trimmed(pieces: CommandPiece[]): CommandPiece[] {
  return pieces.flatMap((piece, index): CommandPiece[] => {
    if (piece.type === "run") return [piece]
    const start = index === 0 ? piece.text.trimStart() : piece.text
    const text = index === pieces.length - 1 ? start.trimEnd() : start
    return text === "" ? [] : [{ type: "text", text }]
  })
}

/**
 * The positions that a template needs and the arguments lack. What the hint puts in square brackets may be left out:
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

/** What goes to a place: words, and the same as one text. */
interface Filling {
  words: readonly string[]
  whole: string
}

/** Inside these the shell reads a quoted word as something else: an expression, a comment, a here document. */
const awkward = /\(\(|\[\[|\$\{|<<|\$'|(?:^|[\s;&|(])#/
/** Levels of scripts within scripts that are compared. */
const maxDepth = 4

/**
 * Puts arguments into a script as quoted words, and makes sure that they are nothing else there: the script has the
 * same commands, words and files with them as with any plain word.
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
      // Between double quotes: these end, the word follows, and they begin again.
      return piece.double ? `"${quote(whole)}"` : words.map(quote).join(" ")
    })
    .join("")
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** What a script runs, without its values. Null when that cannot be told. */
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

/** A script of a template in pieces: as it is written, and where arguments go. */
type ScriptPiece =
  | { kind: "text"; text: string }
  /** `position` is null for all arguments. `double`: it stands between double quotes. */
  | { kind: "place"; position: number | null; double: boolean }

/** A place, a text in single quotes, an escaped character, or the beginning of a substitution. */
const token = /^(?:\$(?:([1-9]\d?)(?!\d)|ARGUMENTS\b)|'[^']*'|\\[\s\S]|\$\()/

/** Finds the places for arguments as the shell would: none stands in single quotes or behind a backslash. */
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
    // Between double quotes a single one is a character.
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

/** A quoted word, or a run of characters in which `"…"` keeps its spaces. An apostrophe inside a word is one. */
const word = /(?<=^|\s)'[^']*'(?=\s|$)|(?:"[^"]*"|\S)+/g

/** What was typed after a command's name, by words; quotes hold one together and are taken off. */
export function splitArguments(text: string): string[] {
  return (text.match(word) ?? []).map((found) =>
    found.length > 1 && found.startsWith("'") && found.endsWith("'")
      ? found.slice(1, -1)
      : found.replace(/"([^"]*)"/g, "$1"),
  )
}
