import type { Mark } from "@docket/core/marks"
import { commandsOf } from "@docket/core/message"
import type { MessageWithParts, Part } from "@docket/core/schema"
import { plainText } from "../../../ui/plain-text.ts"
import { toolView } from "../../tools/tool-view.ts"
import { beginOf } from "../minimap/part-times.ts"

/** Something that a session did or was told, and when (epoch ms); `until` is null while it lasts. */
export interface TimelineEntry {
  partID: string
  /** A prompt is told, the rest is done. */
  kind: "prompt" | "thought" | "answer" | "call"
  /** What it is: the tool of a call. */
  name: string
  words: string
  mark: Mark | null
  from: number
  until: number | null
  /** Since when the model was waited for before it (epoch ms); null where it was not. */
  asked: number | null
}

/** More than a line holds (UTF-16 units). */
const longest = 200

/** What stands in these messages, in the order in which it began. */
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
    const { tool, mark, title, time } = toolView(part)
    const end = time === null ? null : time.end
    return { partID: part.id, kind: "call", name: tool, words: oneLine(title), mark, from, until: end }
  }
  if ((part.type !== "text" && part.type !== "reasoning") || part.text.trim() === "") return null
  const asked = info.role === "user"
  // What is added for the model to read, nobody said.
  if (part.type === "text" && (commandsOf(part) !== null || (asked && part.synthetic))) return null
  const kind = asked ? "prompt" : part.type === "reasoning" ? "thought" : "answer"
  const name = asked ? "Prompt" : part.type === "reasoning" ? "Thought" : "Answer"
  const completed = info.role === "assistant" ? info.time.completed : from
  const until = asked ? from : (part.time?.end ?? completed)
  // A model writes Markdown, a person what they mean.
  const words = oneLine(asked ? part.text : plainText(part.text))
  return { partID: part.id, kind, name, words, mark: null, from, until }
}

function oneLine(text: string): string {
  return text
    .slice(0, 2 * longest)
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, longest)
}
