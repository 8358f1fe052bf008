import { initTRPC } from "@trpc/server"
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

const t = initTRPC.context<ApiContext>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ shape, error }) => errorShape(shape, error),
  sse: { ping: { enabled: true, intervalMs: pingMs }, maxDurationMs },
})

export const { procedure, router } = t
