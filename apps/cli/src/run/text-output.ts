import { commandsOf, plainResults } from "@docket/core/message"
import { visibleText } from "@docket/core/rule"
import type { FeedItem, Part, Session } from "@docket/core/schema"
import { todoTools } from "@docket/core/tool-metadata"
import { formatUsage, totalTokens } from "@docket/core/usage"
import type { Output } from "./output.ts"
import { createRetryLine } from "./retry-line.ts"
import { todoLines, toolLine } from "./tool-line.ts"

/**
 * Output for people: the session's answer goes to stdout, everything else (tool calls, todos, indented lines of
 * subagents) to stderr, so that a pipe gets only the answer.
 */
export function createTextOutput(
  session: Session,
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Output {
  const depths = new Map([[session.id, session.depth]])
  /** Messages that are no answers to the prompt of the run: prompts, summaries, and all that came before it. */
  const leftOut = new Set<string>()
  /** How many characters of each text part are written. */
  const printed = new Map<string, number>()
  /** The last line written of each tool call. */
  const lines = new Map<string, string>()
  const retryLine = createRetryLine()
  let midLine = false
  let wroteAny = false

  function note(text: string, sessionID = session.id): void {
    const indent = "  ".repeat(Math.max(0, (depths.get(sessionID) ?? session.depth) - session.depth))
    if (midLine) stdout.write("\n")
    midLine = false
    stderr.write(`${indent}${visibleText(text)}\n`)
  }

  /** Writes the part of `text` that is not written yet; `offset` is the position of `text` in the part. */
  function write(partID: string, offset: number, text: string): void {
    const length = printed.get(partID) ?? 0
    printed.set(partID, length)
    const fresh = text.slice(Math.max(0, length - offset))
    if (offset > length || fresh === "") return
    if (length === 0 && wroteAny) stdout.write(midLine ? "\n\n" : "\n")
    stdout.write(fresh)
    wroteAny = true
    printed.set(partID, length + fresh.length)
    midLine = !fresh.endsWith("\n")
  }

  /** Results of commands are written when all commands have ended. */
  function writeText(part: Extract<Part, { type: "text" }>): void {
    const commands = commandsOf(part)
    if (commands?.state === "running") return
    write(part.id, 0, commands !== null && commands.results.length > 0 ? plainResults(commands) : part.text)
  }

  function handlePart(part: Part): void {
    const isOfAnswer = part.sessionID === session.id && !leftOut.has(part.messageID)
    if (part.type === "text" && isOfAnswer) writeText(part)
    if (part.type === "retry") note(retryLine(part), part.sessionID)
    if (part.type !== "tool" || !depths.has(part.sessionID)) return
    const line = toolLine(part)
    // The calls of todo tools are shown as the todo list itself.
    const isNew = !todoTools.includes(part.tool) && lines.get(part.id) !== line
    if (line === null || !isNew) return
    lines.set(part.id, line)
    note(line, part.sessionID)
  }

  /** What the session does for another prompt is no answer to this one. */
  function handleOther(item: FeedItem): void {
    if (item.type === "session.created") depths.set(item.properties.info.id, item.properties.info.depth)
    if (item.type === "message.updated") leftOut.add(item.properties.info.id)
  }

  function handle(item: FeedItem, waits: boolean): void {
    if (waits) {
      handleOther(item)
      return
    }
    switch (item.type) {
      case "session.created":
        depths.set(item.properties.info.id, item.properties.info.depth)
        return
      case "message.updated":
        if (item.properties.info.role === "user" || item.properties.info.summary) leftOut.add(item.properties.info.id)
        return
      case "message.part.updated":
        handlePart(item.properties.part)
        return
      case "message.part.delta":
        if (item.properties.sessionID === session.id && printed.has(item.properties.partID))
          write(item.properties.partID, item.properties.offset, item.properties.text)
        return
      case "todo.updated":
        if (item.properties.sessionID !== session.id) return
        for (const line of todoLines(item.properties.todos)) note(line)
    }
  }

  return {
    handle,
    note: (text) => note(text),
    finish({ turn, usage, url }) {
      if (midLine) stdout.write("\n")
      midLine = false
      if (turn.status !== "completed") note(`✗ ${turn.error?.message ?? `the turn was ${turn.status}`}`)
      const used = usage === null ? "" : formatUsage(totalTokens(usage.tokens), usage.cost)
      if (used !== "") note(used)
      if (url !== null) note(url)
    },
  }
}
