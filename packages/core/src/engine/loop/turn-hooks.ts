import type { Session, TaskError, TokenUsage, Turn } from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Work } from "./work.ts"

/** What a turn asks of whoever delegates: that work may be a task, with limits, and for somebody who waits for its end. */
export interface TurnHooks {
  /** A turn begins to work: its time counts for its tree until the work ends. */
  begin(turn: Turn, session: Session, config: Config): Promise<Work>
  /** Why the session may not take another step (null when it may), and how many tool calls it may make (maybe infinite). */
  allow(session: Session): { limit: TaskError | null; calls: number }
  /** Counts what a step used against the limits of the tasks that it belongs to. */
  record(session: Session, used: { tokens: TokenUsage; cost: number; toolCalls: number }): void
  /** The session is idle again, its last turn stored. */
  end(sessionID: string): Promise<void>
}
