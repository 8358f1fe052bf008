import { z } from "zod"

/** Why an assistant message failed. Data in the transcript, never an exception. */
export const MessageError = z.object({
  name: z.enum([
    "ProviderAuthError",
    "ProviderUnavailableError",
    "APIError",
    "ContextOverflowError",
    "OutputLengthError",
    "ContentFilterError",
    "AbortedError",
    "RejectedError",
    "InterruptedError",
    "UnknownModelError",
    "LimitReachedError",
    "UnknownError",
  ]),
  /** What happened and what to do about it. */
  message: z.string(),
  statusCode: z.number().int().nullable().default(null),
  retryable: z.boolean().default(false),
})
export type MessageError = z.infer<typeof MessageError>
