import { initTRPC } from "@trpc/server"
import type { Capability } from "./access/access-table.ts"
import { requireAccess } from "./access/may.ts"
import type { ApiContext } from "./context.ts"
import { errorShape } from "./error-shape.ts"
import { pingMs } from "./http/sse.ts"

/** No stream lives longer, so that none outlives its login by much. The client resumes by its cursor. */
const maxDurationMs = 15 * 60_000

/**
 * Every output is plain JSON already. Saying so keeps the outputs' own types on the client; without a
 * transformer tRPC rewrites them (`unknown` fields become optional).
 */
const transformer = { serialize: (value: unknown) => value, deserialize: (value: unknown) => value }

/** What is known of a procedure without calling it. */
export interface ProcedureMeta {
  capability: Capability
}

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    isDev: false,
    errorFormatter: ({ shape, error }) => errorShape(shape, error),
    sse: { ping: { enabled: true, intervalMs: pingMs }, maxDurationMs },
  })

export const { router } = t

/**
 * Begins a procedure for who has the capability. There is no other way to make one: others are refused before their input is
 * looked at, so that an answer tells them nothing.
 */
export function allowed(capability: Capability) {
  return t.procedure.meta({ capability }).use(({ ctx, next }) => {
    requireAccess(ctx.identity, capability)
    return next()
  })
}
