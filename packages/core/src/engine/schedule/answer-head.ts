import { commandsOf, plainResults } from "../../ground/message/notice-of.ts"
import type { MessageWithParts, TextPart } from "../../ground/schema/index.ts"

/** Bytes of an answer kept in the run history, as in Arbiter. */
const maxBytes = 4 * 1024

/**
 * The beginning of a turn's answer, at most 4 KiB of UTF-8 with whole characters: the last text of the agent before the
 * turn ended (epoch ms). `messages` are those after the turn's prompt, oldest first.
 */
export function answerHead(messages: readonly MessageWithParts[], ended: number | null): string {
  const ofTurn = messages.filter(
    ({ info }) => info.role === "assistant" && !info.summary && info.time.created <= (ended ?? Infinity),
  )
  return headOf(ofTurn.map(textOf).findLast((text) => text !== "") ?? "")
}

function textOf({ parts }: MessageWithParts): string {
  return parts
    .flatMap((part) => (part.type === "text" ? [shown(part)] : []))
    .join("\n")
    .trim()
}

/** The results of inline commands are the answer to a prompt that has nothing else; other text by Docket is not. */
function shown(part: TextPart): string {
  if (part.synthetic !== true) return part.text
  const commands = commandsOf(part)
  return commands === null ? "" : plainResults(commands)
}

function headOf(text: string): string {
  const bytes = Buffer.from(text, "utf8")
  if (bytes.length <= maxBytes) return text
  // With `stream`, the bytes of a split character at the end are left out.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
}
