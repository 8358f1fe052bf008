import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { z } from "zod"

const Details = z.union([
  z.string(),
  z.looseObject({ details: z.string() }).transform(({ details }) => details),
  z.looseObject({ message: z.string() }).transform(({ message }) => message),
])
/** Characters of a reason. */
const longest = 1_000

/** The failure of a request, with the reason: many agents put it beside a message that says nothing. */
export function withReason(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error
  const reason = Details.safeParse(error.data).data?.trim().slice(0, longest)
  if (!reason || error.message.includes(reason)) return error
  return new Error(`${error.message}: ${reason}`, { cause: error })
}
