import { DocketError } from "../../ground/error/docket-error.ts"
import { isInquiry } from "../../ground/rule/is-inquiry.ts"
import type { Caller, PermissionReply, PermissionRequest, QuestionAnswer } from "../../ground/schema/index.ts"
import { checkAnswers } from "./check-answers.ts"
import type { ReplyOptions } from "./permission-service.ts"
import { rememberedBy } from "./remembered.ts"

/** What a person says to a request: an inquiry is answered, and dismissed by a rejection. */
export type PermissionAnswer =
  | ({ reply: PermissionReply; by: Caller } & ReplyOptions)
  | { reply: "answer"; answers: readonly QuestionAnswer[]; by: Caller }

/** How a request ends. */
export type Settled = { status: Exclude<PermissionRequest["status"], "pending" | "expired"> } & Pick<
  PermissionRequest,
  "message" | "by" | "remembered" | "answers"
>

/** How an answer ends a request. @throws invalid_input when it is none to this request */
export function endOf(request: PermissionRequest, given: PermissionAnswer): Settled {
  const { metadata } = request
  const { by } = given
  if (given.reply === "answer") {
    if (!isInquiry(metadata)) throw refused("Leave is asked for here. Allow it once, always, or reject it.")
    return { status: "answered", message: null, by, answers: checkAnswers(metadata, given.answers) }
  }
  const { reply, message, remember } = given
  const words = message?.trim() ? message.trim() : null
  if (isInquiry(metadata)) {
    if (reply !== "reject") throw refused("This is a question. Answer it, or dismiss it.")
    return { status: "dismissed", message: words, by }
  }
  if (reply === "reject") return { status: "rejected", message: words, by }
  if (reply === "once") return { status: "once", message: null, by }
  return { status: "always", message: null, by, remembered: rememberedBy(request, remember) }
}

function refused(message: string): DocketError {
  return new DocketError("invalid_input", message)
}
