import type { Caller } from "../ground/schema/index.ts"
import type { ShareService } from "../records/share/share-service.ts"
import type { CallerServices } from "./caller-services.ts"
import type { BoundOperations } from "./operations/bind-operations.ts"
import type { CoreOperations } from "./operations/core-operations.ts"

/** What somebody who is gone left in a workspace, and what became of it: in numbers. */
export interface LeftBehind {
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

/** What is left of people who are in the workspace no more. */
export interface LeftByPeople {
  /** Puts away what waits and runs for somebody, as the workspace says. `others` acted for them: tokens that they made. */
  putAway(person: string, others?: readonly string[]): Promise<LeftBehind>
  /** How many trees nobody but each person sees. */
  hidden(): Promise<ReadonlyMap<string, number>>
  /** Shows the workspace the trees that somebody alone sees. Answers how many. */
  open(owner: Caller): Promise<number>
}

export interface Runtime {
  /**
   * The use cases as this caller has them: what it causes carries it as `by`. With a `key`, a creating one that is called
   * again with the same input answers with what the first call made.
   */
  as(caller: Caller, key?: string): UseCases
  left: LeftByPeople
  /** Stops running turns, waits until they have ended and everything is stored. */
  close(): Promise<void>
}
