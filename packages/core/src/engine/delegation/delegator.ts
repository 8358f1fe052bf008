import type { Turn } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** The session that delegates, with the context of its running turn. */
export type Delegator = Pick<TurnContext, "session" | "project" | "config" | "agent" | "model"> & {
  /** Tells for which person the task works, and which tools its prompt does without. */
  turn: Pick<Turn, "by" | "cause"> & Partial<Pick<Turn, "input">>
}
