import { noticeOf } from "../../ground/message/notice-of.ts"
import { withoutReason } from "../../ground/message/rejection.ts"
import { rowTexts, withTexts } from "../../ground/redact/index.ts"
import type { Part } from "../../ground/schema/index.ts"

const hidden = "People commented on this work. What they said is not shown here."

/** The part without what people said in a review: their words are for the agents and for each other. */
export function withoutReview(part: Part): Part {
  const notice = noticeOf(part)
  if (part.type === "text" && notice?.kind === "review") {
    return { ...part, text: hidden, notice: { kind: "remark", text: hidden } }
  }
  return notice?.kind === "tasks-ended" || part.type === "tool" ? withoutReasons(part) : part
}

/** The part without the reasons for which work of tasks was rejected. */
function withoutReasons(part: Part): Part {
  const told = rowTexts(part).flatMap((at) => {
    const text = withoutReason(at.text)
    return text === at.text ? [] : [[at, text] as const]
  })
  // Only strings are others than before.
  return withTexts(part, new Map(told)) as Part
}
