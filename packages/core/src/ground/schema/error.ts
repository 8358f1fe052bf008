import { z } from "zod"
import { Caller } from "./caller.ts"

/** Why an assistant message failed. Data in the transcript, never an exception. */
export const MessageError = z.object({
  name: z.enum([
    "ProviderAuthError",
    "ProviderUnavailableError",
    "APIError",
    "ContextOverflowError",
    "OutputLengthError",
    "OutputSchemaError",
    "ContentFilterError",
    "AbortedError",
    "RejectedError",
    "InterruptedError",
    "UnknownModelError",
    "LimitReachedError",
    "UnknownError",
  ]),
  /** What happened and what the user can do about it. */
  message: z.string(),
  statusCode: z.number().int().nullable().default(null),
  retryable: z.boolean().default(false),
  /** Who stopped the work. */
  by: Caller.optional(),
})
export type MessageError = z.infer<typeof MessageError>
