import type { AuditRule, Capability } from "@docket/core/operations"
import { initTRPC } from "@trpc/server"
import { z } from "zod"
import { asOfNow } from "./access/as-of-now.ts"
import { may, requireAccess } from "./access/may.ts"
import { isRecorded, isRefusal } from "./audit/audit.ts"
import type { ApiContext } from "./context.ts"
import { errorShape } from "./error-shape.ts"
import { longestStreamMs, pingMs } from "./http/sse.ts"
import { refuseUnknownKeys } from "./input/unknown-keys.ts"

/**
 * Outputs are plain JSON already. With this transformer the client keeps their own types; without one tRPC rewrites
 * them (`unknown` fields become optional).
 */
const transformer = { serialize: (value: unknown) => value, deserialize: (value: unknown) => value }

/** What is known of a procedure without calling it. */
export interface ProcedureMeta {
  capability: Capability
  /** Its audit rule; a query has none. */
  audit?: AuditRule | undefined
}

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    isDev: false,
    errorFormatter: ({ shape, error }) => errorShape(shape, error),
    sse: { ping: { enabled: true, intervalMs: pingMs }, maxDurationMs: longestStreamMs },
  })

export const { router } = t

/**
 * Begins a procedure for callers with the capability; there is no other way to make one. Others are refused before
 * their input is read, so that the answer tells them nothing. Unknown keys of the input are refused by name. A mutation
 * has an audit rule, and checks the caller again when its input has arrived.
 */
export function allowed(capability: Capability, audit?: AuditRule) {
  const begun = t.procedure.meta({ capability, audit }).use(async ({ ctx, next, path }) => {
    const { identity, recorder } = ctx
    const at = recorder?.now() ?? 0
    if (!may(identity, capability)) await recorder?.refused(capability, path)
    requireAccess(identity, capability)
    const taken: ParsedInput = { input: undefined }
    const result = await next({ ctx: { taken } })
    if (recorder === null || !isRecorded(audit)) return result
    if (result.ok) await recorder.done(audit, { call: path, at, input: taken.input, answer: result.data })
    else if (isRefusal(result.error.cause)) await recorder.refused(capability, path)
    return result
  })
  /** Refuses keys that the schema does not know. With null in place of a schema, refuses every input. */
  const knowing = (schema: unknown) =>
    begun.use(async ({ getRawInput, next }) => {
      const sent = schema === null ? await getRawInput().catch(noBody) : await getRawInput()
      refuseUnknownKeys(schema instanceof z.core.$ZodType ? schema : null, sent)
      return next()
    })
  const input: typeof begun.input = (schema) =>
    knowing(schema)
      .input(schema)
      .use(async ({ ctx, input: parsed, type, next }) => {
        ctx.taken.input = parsed
        if (type !== "mutation") return next()
        return next({ ctx: { identity: asOfNow(ctx.identity, await ctx.identifyAgain(), capability) } })
      })
  return { ...knowing(null), input }
}

/** A call without input may have no body: tRPC's own client sends none. @throws any other error of the body */
function noBody(error: unknown): undefined {
  if (!(error instanceof Error && error.message.includes("end of JSON input"))) throw error
}

/** The parsed input of a procedure. */
interface ParsedInput {
  input: unknown
}
