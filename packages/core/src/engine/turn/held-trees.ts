import type { Turn } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"

/** The trees whose turns this runtime runs. */
export interface HeldTrees {
  /**
   * Whether this runtime runs the queued turn now. Where it is only taking the tree up, it remembers the turn and runs it
   * after that.
   */
  takes(turn: Turn): boolean
  /** Runs `act` with whether the tree is held here; it stays so until `act` has ended. */
  during<T>(rootID: string, act: (isHeld: boolean) => Promise<T>): Promise<T>
}

/** For the only runtime of a store, which runs every turn. */
export const everyTree: HeldTrees = {
  takes: () => true,
  during: (_rootID, act) => act(true),
}

/** The change that stores a queued turn. Where it is not held, it carries a job, so that a node comes for its tree. */
export function queuedTurn(value: Turn, isHeld: boolean): Mutation {
  return { kind: "turn", value, ...(!isHeld && { job: true as const }) }
}
