import type { Caller } from "../ground/schema/index.ts"
import type { ShareService } from "../records/share/share-service.ts"
import type { CallerServices } from "./caller-services.ts"
import type { BoundOperations } from "./operations/bind-operations.ts"
import type { CoreOperations } from "./operations/core-operations.ts"

/** What somebody who is gone left in a workspace, and what became of it: in numbers. */
export interface OffboardingCounts {
  /** Prompts that nobody has read. */
  withdrawn: number
  /** Turns that ran for them and were stopped. */
  stopped: number
  /** Turns that ran for them and go on to their end. */
  running: number
  /** Schedules that fire no more until somebody starts them again. */
  paused: number
  /** Trees that nobody else sees. */
  hidden: number
  /** Webhooks that they made, and that go on telling addresses of what happens. */
  webhooks: number
}

/** The use cases of Docket for one caller. Every front end (tRPC, REST, CLI, ACP) is a thin layer over this. */
export interface UseCases extends BoundOperations<CoreOperations>, Pick<CallerServices, "feed"> {
  /** What a link lets one do: whoever has it sees its copy, whoever they are. */
  links: Pick<ShareService, "resolve" | "unlock" | "ended" | "copy">
}

/** What happens to the work of people who were removed from the workspace. */
export interface Offboarding {
  /** Follows the workspace's `whenRemoved`. `others` are the ids under which tokens acted for the person. */
  offboard(person: string, others?: readonly string[]): Promise<OffboardingCounts>
  /** The number of private trees by person. */
  hidden(): Promise<ReadonlyMap<string, number>>
  /** Makes the private trees of this person visible to the workspace. Answers how many. */
  open(owner: Caller): Promise<number>
}

export interface Runtime {
  /**
   * The use cases as this caller has them: what it causes carries it as `by`. With a `key`, a creating one that is called
   * again with the same input answers with what the first call made.
   */
  as(caller: Caller, key?: string): UseCases
  offboarding: Offboarding
  /** Stops running turns, waits until they have ended and everything is stored. */
  close(): Promise<void>
}
