import { type Inquiry, isInquiry } from "@docket/core/rule"
import type { PermissionRequest, QuestionAnswer } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

/** A request for permission as OpenCode's clients read it. */
export function permissionShape(request: PermissionRequest) {
  const { id, sessionID, permission, patterns, always, metadata } = request
  return {
    ...{ id, sessionID, permission, patterns, always, metadata },
    ...toolOf(request),
  } satisfies Sdk.PermissionRequest
}

/** A question, or a plan that waits for a decision. Null for a request for permission. */
export function questionShape(request: PermissionRequest): Sdk.QuestionRequest | null {
  const { id, sessionID, metadata } = request
  if (!isInquiry(metadata)) return null
  const questions = metadata.questions.map(({ question, header, options, multiple }) => ({
    ...{ question, header, multiple, custom: true },
    options,
  }))
  return { ...{ id, sessionID, questions }, ...toolOf(request) }
}

function toolOf({ messageID, callID }: Pick<PermissionRequest, "messageID" | "callID">) {
  return messageID !== null && callID !== null && { tool: { messageID, callID } }
}

/** Answers as OpenCode sends them: labels of options, and own words among them. */
export function answersOf(
  { questions }: Pick<Inquiry, "questions">,
  sent: readonly Sdk.QuestionAnswer[],
): QuestionAnswer[] {
  return sent.map((words, index) => {
    const labels = new Set(questions[index]?.options.map(({ label }) => label))
    const own = words.filter((word) => !labels.has(word))
    return { choices: words.filter((word) => labels.has(word)), own: own.length === 0 ? null : own.join(", ") }
  })
}

/** The same the other way round. */
export function answerShape({ choices, own }: QuestionAnswer): Sdk.QuestionAnswer {
  return own === null ? choices : [...choices, own]
}
