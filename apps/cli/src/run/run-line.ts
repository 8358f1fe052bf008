import { FeedItemSchema } from "@docket/core/events"
import { TokenUsage, Turn } from "@docket/core/schema"
import { z } from "zod"
import { RunOutcome } from "./run-outcome.ts"

/** Where the run works: the first line. `url` shows it in a browser; null when the service ends with the run. */
const SessionLine = z.strictObject({
  type: z.literal("session"),
  /** Rises when programs that read these lines have to change. */
  version: z.literal(1),
  sessionID: z.string(),
  url: z.url().nullable(),
})

/** What came of it: the last line, unless it is an error. */
const ResultLine = z.strictObject({
  type: z.literal("result"),
  outcome: RunOutcome,
  exitCode: z.int(),
  sessionID: z.string(),
  url: z.url().nullable(),
  /** The answer. */
  text: z.string(),
  turn: Turn,
  /** The value that fits the schema of `--schema`. */
  output: z.unknown().optional(),
  /** How many requests nobody could answer. */
  refused: z.int().nonnegative(),
  /** Of the whole tree; null where the service does not tell. */
  usage: z.strictObject({ tokens: TokenUsage, cost: z.number() }).nullable(),
})

/** Why there is no result: the last line. */
const ErrorLine = z.strictObject({ type: z.literal("error"), message: z.string(), exitCode: z.int() })

/** A line of `docket run --format json`: between the first and the last one, each is an event of the tree. */
export const RunLine = z.union([SessionLine, ResultLine, ErrorLine, FeedItemSchema])

export type RunSession = z.infer<typeof SessionLine>
export type RunResult = z.infer<typeof ResultLine>
export type RunError = z.infer<typeof ErrorLine>
