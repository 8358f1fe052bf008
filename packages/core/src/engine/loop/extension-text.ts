import { noticeOf } from "../../ground/message/notice-of.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { Part, TextPart } from "../../ground/schema/index.ts"

/** What an extension says to the agent. */
export interface ExtensionText {
  /** Who says it, in words: `hook .claude/settings.json`. */
  from: string
  text: string
}

type SyntheticText = Pick<TextPart, "type" | "text" | "synthetic" | "notice">

/** What the model reads. The text can neither end the mark around it nor pass for words of a person. */
export function extensionWords(said: ExtensionText): string {
  return `<system-reminder>${quoteFrames(plainWords(said))}</system-reminder>`
}

/** The text as a part of a message. */
export function extensionPart(said: ExtensionText): SyntheticText {
  const notice = { kind: "remark", text: plainWords(said), extension: said.from } as const
  return { type: "text", text: extensionWords(said), synthetic: true, notice }
}

function plainWords({ from, text }: ExtensionText): string {
  return `${from} says:\n${text}`
}

/** Whether an extension says it. */
export function isExtensionText(part: Part): boolean {
  const notice = noticeOf(part)
  return notice?.kind === "remark" && notice.extension !== undefined
}
