import type { MessageWithParts } from "../schema/index.ts"

/** Bytes of an answer that the run history keeps, as in Arbiter. */
const maxBytes = 4 * 1024

/**
 * The head of a turn's answer, at most 4 KiB of UTF-8 and never half a character: the last text before the
 * next prompt. `messages` are those after the turn's own prompt, oldest first.
 */
export function answerHead(messages: readonly MessageWithParts[]): string {
  const next = messages.findIndex(({ info }) => info.role === "user")
  const ofTurn = next === -1 ? messages : messages.slice(0, next)
  return headOf(ofTurn.map(textOf).findLast((text) => text !== "") ?? "")
}

function textOf({ parts }: MessageWithParts): string {
  return parts
    .flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
    .join("\n")
    .trim()
}

function headOf(text: string): string {
  const bytes = Buffer.from(text, "utf8")
  if (bytes.length <= maxBytes) return text
  // With `stream`, the bytes of a character that was cut in two are held back.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
}
