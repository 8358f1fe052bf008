import { type InlineCommandVerb, inlineCommandVerbs } from "./inline-command-verbs.ts"

/** One command line in text, with its block when it has one. */
export interface InlineCommand {
  verb: InlineCommandVerb
  /** The rest of the line without outer white space. */
  args: string
  /** The lines between the command and its terminator; null without a block. */
  body: string | null
  /** False when the terminator is missing or the text was cut off inside: it must not take effect. */
  complete: boolean
}

export interface ParsedInlineCommands {
  inlineCommands: InlineCommand[]
  /** The text without commands and blocks. */
  rest: string
}

interface Line {
  text: string
  /** Where the line begins, and the next one. */
  start: number
  next: number
  verb: InlineCommandVerb | null
}

/**
 * Finds the inline commands in text: lines that start with `/` and a known verb, without leading white space and
 * outside of fences. Reads each line at most twice, so time grows with length only.
 *
 * Blocks: `/parallel` and `/mem add entry` always have one; `/todo add` has one when `/endtodo` comes before
 * the next command and the end. A terminator is a whole line and counts in a fence too; other commands in a fence
 * of the block are part of it. A missing terminator never swallows a later command. `/todo add` without it is a
 * one-line command when a blank line, another command or nothing follows, and also when text follows directly but
 * another command comes later: that text is prose. When text follows directly and runs to the end, the block was
 * begun and never closed, so the command is incomplete.
 *
 * `finished: false` says that the text was cut off: a command that reaches the cut is incomplete.
 */
export function parseInlineCommands(text: string, options: { finished: boolean }): ParsedInlineCommands {
  const inlineCommands: InlineCommand[] = []
  const rest: string[] = []
  let fence: CodeFence | null = null
  let at = 0
  while (at < text.length) {
    const line = readLine(text, at)
    at = line.next
    if (fence !== null || line.verb === null) {
      fence = fenceAfter(fence, line.text)
      if (fence !== null || !terminators.has(line.text)) rest.push(text.slice(line.start, line.next))
      continue
    }
    const found = readInlineCommand(text, line, options.finished)
    inlineCommands.push(found.inlineCommand)
    at = found.next
  }
  return { inlineCommands, rest: rest.join("") }
}

const terminators = new Set(["/endtodo", "/endmem", "/endparallel"])

function readLine(text: string, start: number): Line {
  const newline = text.indexOf("\n", start)
  const next = newline < 0 ? text.length : newline + 1
  let end = newline < 0 ? text.length : newline
  // By hand: a pattern would take quadratic time on long runs of spaces.
  while (end > start && isLineSpace(text.charCodeAt(end - 1))) end -= 1
  const line = text.slice(start, end)
  return { text: line, start, next, verb: line.startsWith("/") ? verbOf(line) : null }
}

/** Tab, return or space. */
function isLineSpace(code: number): boolean {
  return code === 9 || code === 13 || code === 32
}

/** The verb of a line that begins with a slash. */
function verbOf(line: string): InlineCommandVerb | null {
  for (const verb of inlineCommandVerbs) {
    if (!line.startsWith(verb, 1)) continue
    const after = line.charAt(verb.length + 1)
    if (after === "" || after === " " || after === "\t") return verb
  }
  return null
}

function readInlineCommand(
  text: string,
  line: Line,
  finished: boolean,
): { inlineCommand: InlineCommand; next: number } {
  // The caller has checked that the line has a verb.
  const verb = line.verb ?? "todo"
  const args = line.text.slice(verb.length + 1).trim()
  // A text that was cut off within a line lacks the rest of that line.
  const whole = finished || text.charAt(line.next - 1) === "\n"
  const end = blockEnd(verb, args)
  if (end === null) return { inlineCommand: { verb, args, body: null, complete: whole }, next: line.next }
  const block = findBlock(text, line.next, { end, inner: verb === "parallel" ? "agent" : null })
  if (block.body !== null) return { inlineCommand: { verb, args, body: block.body, complete: true }, next: block.next }
  const oneLine = verb === "todo" && (!block.toEnd || (finished && !block.hasBody))
  return { inlineCommand: { verb, args, body: null, complete: whole && oneLine }, next: block.next }
}

function blockEnd(verb: InlineCommandVerb, args: string): string | null {
  if (verb === "parallel") return "/endparallel"
  if (verb === "todo" && /^add(?:\s|$)/.test(args)) return "/endtodo"
  if (verb === "mem" && /^add\s+entry(?:\s|$)/.test(args)) return "/endmem"
  return null
}

interface Block {
  /** Null when the terminator is missing. */
  body: string | null
  /** Where parsing goes on: after the terminator, or without one after the command and its `inner` lines. */
  next: number
  /** The line after the command has text. */
  hasBody: boolean
  /** No command came before the end of the text. */
  toEnd: boolean
}

/** Looks for a block's terminator up to the next command. `inner` is the verb that the block is made of. */
function findBlock(
  text: string,
  start: number,
  { end, inner }: { end: string; inner: InlineCommandVerb | null },
): Block {
  let hasBody = false
  let fence: CodeFence | null = null
  let next = start
  let at = start
  while (at < text.length) {
    const line = readLine(text, at)
    if (line.text === end) return { body: bodyText(text.slice(start, at)), next: line.next, hasBody, toEnd: false }
    const isOtherCommand = line.verb !== null && line.verb !== inner
    if (fence === null && isOtherCommand) return { body: null, next, hasBody, toEnd: false }
    if (at === start) hasBody = line.text !== "" && !terminators.has(line.text)
    const isOfBlock = inner !== null && (line.verb === inner || line.text === "")
    if (next === at && isOfBlock) next = line.next
    fence = line.verb === null ? fenceAfter(fence, line.text) : fence
    at = line.next
  }
  return { body: null, next, hasBody, toEnd: true }
}

/** Lines without the end of the last one. */
function bodyText(lines: string): string {
  return lines.replaceAll("\r\n", "\n").replace(/\n$/, "")
}

/** An open code fence: which character, how many. */
interface CodeFence {
  sign: "`" | "~"
  length: number
}

/**
 * The fence state after a line. A fence opens on a line that starts with three or more backticks or tildes and
 * closes only on a line of the same character, at least as many, and nothing else (CommonMark 4.5, without its
 * indentation).
 */
function fenceAfter(open: CodeFence | null, line: string): CodeFence | null {
  const sign = line.charAt(0)
  if (sign !== "`" && sign !== "~") return open
  let length = 1
  while (line.charAt(length) === sign) length += 1
  if (length < 3) return open
  if (open === null) return sign === "`" && line.indexOf("`", length) > 0 ? null : { sign, length }
  return open.sign === sign && length >= open.length && length === line.length ? null : open
}

const terminator = { todo: "/endtodo", mem: "/endmem", parallel: "/endparallel", schedule: null, agent: null } as const

/** A command as text that parses to it again, with a line end. A one-line command ends with a blank line. */
export function renderInlineCommand({ verb, args, body }: InlineCommand): string {
  const head = args === "" ? `/${verb}` : `/${verb} ${args}`
  const end = terminator[verb]
  if (body === null || end === null) return `${head}\n\n`
  return body === "" ? `${head}\n${end}\n` : `${head}\n${body}\n${end}\n`
}
