import { commandsOf, plainResults } from "@docket/core/message"
import { visibleText } from "@docket/core/rule"
import type { FeedItem, MessageWithParts, Part, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { todoTools } from "@docket/core/tool-metadata"
import { createRetryLine } from "../run/retry-line.ts"
import { theirs } from "../run/theirs.ts"
import { todoLines, toolLine } from "../run/tool-line.ts"

/** The lines that tell of a tree, in the order of what happens. */
export interface LaneLines {
  /** The lines of what is there already: the end of a transcript. */
  past(messages: readonly MessageWithParts[]): string[]
  /** The lines of what happens; none for what is told already. */
  of(item: FeedItem): string[]
  /**
   * The short name of a session: `explore 2` is the second one that explores. It is empty for the session itself, and null
   * for those of the tree that are not below it.
   */
  label(sessionID: string): string | null
}

/**
 * Makes lines for people. Each line of a child begins with its label; what an agent says is told when it is whole,
 * because children speak at the same time.
 */
export function createLaneLines(
  { sessionID, hasBoard }: { sessionID: string; hasBoard: boolean },
  sessions: readonly Session[],
): LaneLines {
  const labels = new Map<string, string>()
  const counts = new Map<string, number>()
  const ofPeople = new Set<string>()
  const summaries = new Set<string>()
  /** The last line of each call, and the texts that are told. */
  const told = new Map<string, string>()
  const retryLine = createRetryLine()

  function meet({ id, agent, parentID }: Session): void {
    if (labels.has(id) || (id !== sessionID && !labels.has(parentID ?? ""))) return
    const count = (counts.get(agent) ?? 0) + 1
    counts.set(agent, count)
    labels.set(id, id === sessionID ? "" : `${visibleText(agent)} ${count}`)
  }

  function inLane(id: string, lines: readonly string[]): string[] {
    const label = labels.get(id)
    if (label === undefined) return []
    return lines.map((line) => (label === "" ? line : `[${label}] ${line}`))
  }

  function tellOnce(id: string, text: string): string[] {
    if (told.get(id) === text) return []
    told.set(id, text)
    return text.split("\n")
  }

  function ofPart(part: Part): string[] {
    if (part.type === "retry") return [visibleText(retryLine(part))]
    if (part.type === "tool") {
      const line = todoTools.includes(part.tool) ? null : toolLine(part)
      return line === null ? [] : tellOnce(part.id, line)
    }
    if (part.type !== "text" || summaries.has(part.messageID)) return []
    const commands = commandsOf(part)
    if (commands !== null) {
      return commands.state === "running" || commands.results.length === 0
        ? []
        : tellOnce(part.id, visibleText(plainResults(commands)))
    }
    if (part.synthetic || part.text.trim() === "") return []
    if (ofPeople.has(part.messageID)) return tellOnce(part.id, visibleText(part.text).replace(/^/gm, "> "))
    return part.time?.end == null ? [] : tellOnce(part.id, theirs(part.text.trim()))
  }

  function ofItem(item: FeedItem): string[] {
    switch (item.type) {
      case "session.created": {
        const { info } = item.properties
        meet(info)
        return inLane(info.id, [`begins: ${visibleText(shortTitle(info))}`])
      }
      case "message.updated": {
        const { info } = item.properties
        if (info.role === "user") ofPeople.add(info.id)
        else if (info.summary) summaries.add(info.id)
        return []
      }
      case "message.part.updated":
        return inLane(item.properties.part.sessionID, ofPart(item.properties.part))
      case "todo.updated":
        // The board has those of the session itself.
        if (hasBoard && item.properties.sessionID === sessionID) return []
        return inLane(item.properties.sessionID, todoLines(item.properties.todos))
      case "turn.updated": {
        const { status, error, sessionID: of, id } = item.properties.turn
        if (status === "queued" || status === "running" || told.has(id)) return []
        told.set(id, status)
        const why = visibleText(error?.message ?? `the turn was ${status}`)
        return inLane(of, [status === "completed" ? "done" : `✗ ${why}`])
      }
      default:
        return []
    }
  }

  // Parents first.
  for (const session of sessions.toSorted((a, b) => a.depth - b.depth)) meet(session)
  return {
    past: (messages) =>
      messages.flatMap(({ info, parts }) => {
        if (info.role === "user") ofPeople.add(info.id)
        else if (info.summary) summaries.add(info.id)
        return parts.flatMap((part) => inLane(part.sessionID, ofPart(part)))
      }),
    of: ofItem,
    label: (id) => labels.get(id) ?? null,
  }
}
