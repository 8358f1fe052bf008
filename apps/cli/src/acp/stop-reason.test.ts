import { MessageError, type Turn } from "@docket/core/schema"
import { expect, it } from "vitest"
import { stopReason } from "./stop-reason.ts"

const failed = (name: MessageError["name"], message = "Why"): Pick<Turn, "status" | "error"> => ({
  status: "failed",
  error: { name, message, statusCode: null, retryable: false },
})

it.each([
  [{ status: "completed", error: null }, "end_turn"],
  [{ status: "aborted", error: null }, "cancelled"],
  [failed("AbortedError"), "cancelled"],
  [failed("OutputLengthError"), "max_tokens"],
  [failed("LimitReachedError"), "max_turn_requests"],
  [failed("ContentFilterError"), "refusal"],
  [failed("RejectedError"), "end_turn"],
] as const)("a turn with %o stops because of %s", (turn, reason) => {
  expect(stopReason(turn)).toBe(reason)
})

it.each(MessageError.shape.name.options.filter((name) => !/Abort|Length|Limit|Filter|Reject/.test(name)))(
  "a turn that failed with %s is an error with its words",
  (name) => {
    expect(() => stopReason(failed(name, "The provider said no."))).toThrow("The provider said no.")
  },
)
