import type { MessageError } from "@docket/core/schema"

export interface ErrorAdvice {
  title: string
  /** What the reader can do, unless the message says it already. */
  action: string | null
  /** The user caused it on purpose: shown without an alarm. */
  quiet: boolean
}

/** A title and advice for an error, in words for users. */
export function errorAdvice(error: MessageError): ErrorAdvice {
  const alarm = (title: string, action: string | null): ErrorAdvice => ({ title, action, quiet: false })
  switch (error.name) {
    case "AbortedError":
      return { title: "Stopped", action: null, quiet: true }
    case "RejectedError":
      return { title: "Ended with a rejected call", action: null, quiet: true }
    case "InterruptedError":
      return { title: "Interrupted", action: null, quiet: true }
    case "ProviderAuthError":
      return alarm("The provider refused the key", null)
    case "ProviderUnavailableError":
      return alarm("The provider cannot be reached", "Check the connection or pick another model, then try again.")
    case "ContextOverflowError":
      return alarm("The conversation is too long for this model", null)
    case "OutputLengthError":
      return alarm("The answer was cut", null)
    case "OutputSchemaError":
      return alarm("The answer does not have the form that was asked for", null)
    case "ContentFilterError":
      return alarm("The provider withheld the answer", "Word the request differently.")
    case "UnknownModelError":
      return alarm("This model is not available", "Pick another model and try again.")
    case "LimitReachedError":
      return alarm("A limit was reached", null)
    case "APIError":
      return alarm(
        error.statusCode === null
          ? "The provider answered with an error"
          : `The provider answered with error ${error.statusCode}`,
        null,
      )
    case "UnknownError":
      return alarm("Something went wrong", null)
  }
}
