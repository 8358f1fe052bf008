import { RequestError, type StopReason } from "@agentclientprotocol/sdk/unstable"
import type { Turn } from "@docket/core/schema"

type Ended = Pick<Turn, "status" | "error">

/** Why a turn ended, in the protocol's words. @throws RequestError with the reason when it failed in another way */
export function stopReason({ status, error }: Ended): StopReason {
  if (status === "completed") return "end_turn"
  if (status === "aborted") return "cancelled"
  switch (error?.name) {
    case "AbortedError":
      return "cancelled"
    case "OutputLengthError":
      return "max_tokens"
    case "LimitReachedError":
      return "max_turn_requests"
    case "ContentFilterError":
      return "refusal"
    case "RejectedError":
      // The user said no in the editor, and knows.
      return "end_turn"
    default:
      throw new RequestError(-32_603, error?.message ?? `The turn was ${status}.`)
  }
}
