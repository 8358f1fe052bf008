import type { MessageError } from "../../ground/schema/index.ts"
import type { RefusedStep } from "../compaction/make-room.ts"

/** What the loop does next. */
export type StepOutcome =
  | { next: "continue" | "stop" | "rejected"; overflow: boolean }
  | { next: "failed"; error: MessageError }
  /** The output limit cut the answer, which is all that there is of it. */
  | { next: "cut"; error: MessageError; overflow: boolean }
  | ({ next: "refused" } & RefusedStep)
