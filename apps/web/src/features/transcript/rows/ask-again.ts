import type { AssistantMessage, MessageError } from "@docket/core/schema"

/** A button below an error, and the prompt that it sends. */
export interface AskAgain {
  label: string
  prompt: string
}

/** How the session goes on after an error: the model has a cut answer before it, and nothing of any other. */
export function askAgain(error: Pick<MessageError, "name">, message: Pick<AssistantMessage, "finish">): AskAgain {
  return error.name === "OutputLengthError" && message.finish === "length"
    ? { label: "Continue", prompt: "Continue where your answer was cut." }
    : { label: "Try again", prompt: "Try again." }
}
