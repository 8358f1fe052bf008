import { type ExtensionText, extensionWords, plainExtensionWords } from "../../ground/message/extension-words.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
import type { Part, TextPart } from "../../ground/schema/index.ts"

export type { ExtensionText }

type SyntheticText = Pick<TextPart, "type" | "text" | "synthetic" | "notice">

/** The text as a part of a message. */
export function extensionPart(said: ExtensionText): SyntheticText {
  const notice = { kind: "remark", text: plainExtensionWords(said), extension: said.from } as const
  return { type: "text", text: extensionWords(said), synthetic: true, notice }
}

/** Whether an extension says it. */
export function isExtensionText(part: Part): boolean {
  const notice = noticeOf(part)
  return notice?.kind === "remark" && notice.extension !== undefined
}
