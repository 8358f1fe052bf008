import { commandsOf } from "@docket/core/message"
import type { MessageWithParts, Part } from "@docket/core/schema"
import type { WorkStatus } from "@docket/core/work-status"
import { plainText } from "../../../ui/plain-text.ts"
import { toolView } from "../../tools/tool-view.ts"
import { beginOf } from "../minimap/part-times.ts"

/** A prompt to a session or something it did, with its time (epoch ms); `until` is null while it lasts. */
export interface TimelineEntry {
  partID: string
  /** `prompt` was sent to the session; it did the rest. */
  kind: "prompt" | "thought" | "answer" | "call"
  /** Name of the entry: for a call, its tool. */
  name: string
  words: string
  status: WorkStatus | null
  from: number
  until: number | null
  /** When the wait for the model before this entry began (epoch ms); null without a wait. */
  asked: number | null
}

/** Longer text does not fit on a line (UTF-16 units). */
const longest = 200

/** The entries of these messages, in the order of their start. */
export function timelineEntries(messages: readonly MessageWithParts[]): TimelineEntry[] {
  return messages.flatMap((message) => {
    const [first, ...others] = message.parts.flatMap((part) => entryOf(part, message) ?? [])
    if (first === undefined) return []
    const asked = message.info.role === "assistant" ? message.info.time.created : null
    return [{ ...first, asked }, ...others.map((entry) => ({ ...entry, asked: null }))]
  })
}

function entryOf(part: Part, { info }: MessageWithParts): Omit<TimelineEntry, "asked"> | null {
  const from = beginOf(part) ?? info.time.created
  if (part.type === "tool") {
    const { tool, status, title, time } = toolView(part)
    const end = time === null ? null : time.end
    return { partID: part.id, kind: "call", name: tool, words: oneLine(title), status, from, until: end }
  }
  if (part.type !== "text" && part.type !== "reasoning") return null
  if (part.text.trim() === "") return null
  const isPrompt = info.role === "user"
  // Texts that Docket added for the model are no entries.
  if (part.type === "text" && (commandsOf(part) !== null || (isPrompt && part.synthetic))) return null
  const kind = isPrompt ? "prompt" : part.type === "reasoning" ? "thought" : "answer"
  const name = isPrompt ? "Prompt" : part.type === "reasoning" ? "Thought" : "Answer"
  const completed = info.role === "assistant" ? info.time.completed : from
  const until = isPrompt ? from : (part.time?.end ?? completed)
  // A model writes Markdown; a user's text is plain.
  const words = oneLine(isPrompt ? part.text : plainText(part.text))
  return { partID: part.id, kind, name, words, status: null, from, until }
}

function oneLine(text: string): string {
  return text
    .slice(0, 2 * longest)
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, longest)
}
