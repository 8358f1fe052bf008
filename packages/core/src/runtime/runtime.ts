import type { Caller } from "../ground/schema/index.ts"
import type { ShareService } from "../records/share/share-service.ts"
import type { CallerServices } from "./caller-services.ts"
import type { BoundOperations } from "./operations/bind-operations.ts"
import type { CoreOperations } from "./operations/core-operations.ts"
import type { TreeToWorkOn } from "./work-on-trees.ts"

/** How much work a former member left in a workspace, and what became of it. */
export interface OffboardingCounts {
  /** Prompts that no agent has read. */
  withdrawn: number
  /** Turns for this person that were stopped. */
  stopped: number
  /** Turns for this person that run to their end. */
  running: number
  /** Schedules that were paused until somebody resumes them. */
  paused: number
  /** Trees that nobody else sees. */
  hidden: number
  /** Webhooks that this person created; they stay active. */
  webhooks: number
}

/** The use cases of Docket for one caller. Every front end (tRPC, REST, CLI, ACP) is a thin layer over this. */
export interface UseCases extends BoundOperations<CoreOperations>, Pick<CallerServices, "feed"> {
  /** What the holder of a share link may do: anyone with the link sees the copy. */
  links: Pick<ShareService, "resolve" | "unlock" | "ended" | "copy" | "home">
}

/** What happens to the work of people who were removed from the workspace. */
export interface Offboarding {
  /** Follows the workspace's `whenRemoved`. `others` are the ids under which tokens acted for the person. */
  offboard(person: string, others?: readonly string[]): Promise<OffboardingCounts>
  /** The number of private trees by person. */
  hidden(): Promise<ReadonlyMap<string, number>>
  /** Makes the private trees of this person visible to the workspace. Returns their number. */
  open(owner: Caller): Promise<number>
}

export interface Runtime {
  /**
   * The use cases for this caller. Rows that they cause carry the caller as `by`. With a `key`, repeating a creating
   * use case with the same input returns the result of the first call.
   */
  as(caller: Caller, key?: string): UseCases
  offboarding: Offboarding
  /**
   * Of a node: works on a tree that an engine gave to it, until nothing is left to do there. Rejects when the tree is lost
   * or could not be read: the engine gives it to a node again.
   */
  workOn(tree: TreeToWorkOn): Promise<void>
  /** Of a node: carries out the operation that another node asks for (`HostLink.call`). Never rejects. */
  answer(request: string): Promise<string>
  /** Stops running turns, and resolves when they have ended and everything is stored. */
  close(): Promise<void>
}
