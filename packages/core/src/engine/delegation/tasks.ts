import type { Caller, Session, SessionNote, Speaker, Task, TaskError, TaskSummary } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import type { PersonGone } from "../loop/stop-reason.ts"
import type { TreeTasks } from "../turn/tree-work.ts"
import type { WaitingTurns } from "../turn/waiting-turns.ts"
import type { NewTask } from "./new-task.ts"
import type { TaskUsage } from "./task-usage.ts"

/** The running and waiting tasks of this process. Their records are rows; this holds what rows cannot. */
export interface Tasks extends TaskUsage, TreeTasks {
  /**
   * Stores a task with the tree's next number and queues it for a slot of its parent, once what was launched in the
   * tree before is stored or has failed: numbers follow the order of the calls, and what is no task takes none.
   */
  launch(rootID: string, prepare: () => Promise<NewTask>): Promise<Task>
  /** The task as it is now. @throws task_not_found */
  get(id: string): Promise<Task>
  /** A task of `parent` by child session id, task id or number; null when there is none. */
  find(parent: Session, ref: string): Promise<Task | null>
  /** Resolves when the task has ended, or with its state of then after `waitMs`. */
  wait(id: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<Task>
  /** Resolves when the task has ended or was sent to the background. */
  released(id: string): Promise<Task>
  /** `by` is who wished it, if anybody did. */
  cancel(id: string, by?: Caller): Promise<Task>
  /** Whoever waited for it was stopped for this reason: cancels it, but one that is done goes on waiting for its review when the process ends, or who it was for is gone. */
  giveUp(id: string, reason: unknown): Promise<Task>
  message(id: string, text: string, from: Speaker): Promise<Task>
  /** Gives a task that works a note, stored together with `more`. False, and nothing is stored, when nobody would read it. */
  note(id: string, note: Omit<SessionNote, "id">, more: Mutation[]): Promise<boolean>
  background(id: string): Promise<Task>
  /** A person did something with it. */
  actedOn(id: string, by: Caller): Promise<Task>
  /** The end has reached the parent this way: nothing more is sent. */
  delivered(id: string, how: "result" | "poll"): Promise<void>
  /** Ends all open tasks of the tree for this reason, with what they have found; resolves with how many. */
  endTree(rootID: string, error: TaskError): Promise<number>
  /** Open tasks that work or wait for a slot for these people. */
  workFor(people: ReadonlySet<string>): Task[]
  /**
   * Ends these and tells nobody, so that nothing goes on about them; their turns are stopped by who asks. Answers with their
   * ends.
   */
  stopFor(people: ReadonlySet<string>, reason: PersonGone): Promise<Promise<Task>[]>
  /** A turn of the session has ended: tells it of background tasks that ended meanwhile. */
  turnEnded(sessionID: string): Promise<void>
  /** A task as another runtime left it. */
  hear(task: TaskSummary): void
  /**
   * Marks what a crash left open, as ended at `diedAt` (epoch ms; null for now), but for the tasks `waiting`. Call before
   * any turn of them runs. Resolves with the child sessions.
   */
  recover(
    isLeft: (task: Task) => boolean,
    crash: { diedAt: number | null; waiting: ReadonlySet<string> },
  ): Promise<string[]>
  /**
   * Takes on the tasks of turns that wait for a person since before the process started; it died at `diedAt`. Call what it
   * resolves with once their turns are taken on.
   */
  keepWaiting(waiting: Pick<WaitingTurns, "tasks" | "requests" | "turns">, diedAt: number | null): Promise<() => void>
  /** The process ends, and another goes on with these: nothing more is stored of them here. */
  leave(ids: ReadonlySet<string>): void
  /** The open task that a call started, by its part. */
  ofCall(partID: string): Task | null
  /** Holds the tasks again that waited for a review. Whoever waited for them is told of their end. */
  restore(isLeft: (task: Task) => boolean): Promise<void>
  /**
   * Tells parents of what ended without their knowing before the process started. Those of `resumed` sessions, whose
   * turns go on, are told when these end.
   */
  tellRecovered(resumed: ReadonlySet<string>, isLeft: (task: Task) => boolean): Promise<void>
  /** Whether the task waits for a slot. */
  isWaiting(id: string): boolean
  /** The running task of a child session. */
  ofChild(sessionID: string): Task | null
}
