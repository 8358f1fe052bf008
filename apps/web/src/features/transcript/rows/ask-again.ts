import type { AssistantMessage, MessageError } from "@docket/core/schema"

/** A button below an error, and the prompt that it sends. */
export interface AskAgain {
  label: string
  prompt: string
}

/**
 * How the session continues after an error. Only after an answer cut by its length does the model see the cut answer.
 */
export function askAgain(error: Pick<MessageError, "name">, message: Pick<AssistantMessage, "finish">): AskAgain {
  return error.name === "OutputLengthError" && message.finish === "length"
    ? { label: "Continue", prompt: "Continue where your answer was cut." }
    : { label: "Try again", prompt: "Try again." }
}
