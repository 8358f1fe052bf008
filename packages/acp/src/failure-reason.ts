import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { withLast } from "@docket/core/program-log"
import { z } from "zod"

const sandboxAdvice =
  'Its sandbox may have refused it a file: name the place in "writable" of its "acp" entry, or set "sandbox": false there.'

const Details = z.union([
  z.string(),
  z.looseObject({ details: z.string() }).transform(({ details }) => details),
  z.looseObject({ message: z.string() }).transform(({ message }) => message),
])
/** Characters of a reason. */
const longest = 1_000

/** The code of a failure of which the message says nothing. */
const internalError = -32603
const refusedWrite = /EROFS|EACCES|EPERM|read-only file system|permission denied|operation not permitted/i

/**
 * The failure of a request, with the reason: many agents put it beside a message that says nothing, or write it to their
 * error output.
 */
export function withReason(
  error: unknown,
  { last, isSandboxed }: { last: readonly string[]; isSandboxed: boolean },
): unknown {
  if (!(error instanceof RequestError)) return error
  const reason = Details.safeParse(error.data).data?.trim().slice(0, longest)
  const told = !reason || error.message.includes(reason) ? error.message : `${error.message}: ${reason}`
  const isBare = error.code === internalError && told === error.message && last.length > 0
  const text = isBare ? withLast(`${told}.`, last) : told
  const advice = isSandboxed && refusedWrite.test(text) ? `\n${sandboxAdvice}` : ""
  return text === error.message && advice === "" ? error : new Error(`${text}${advice}`, { cause: error })
}
