import type { ToolContext } from "../../acts/tool/tool.ts"
import type { Agent, Notice, Task, Turn } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"

export interface DelegateRequest {
  agent: Agent
  description: string
  prompt: string
  /** The command of a prompt that it comes of. */
  command?: string | undefined
  mode: Task["mode"]
  taskID?: string | undefined
  /** `provider/model` */
  model?: string | undefined
  /** ms */
  timeout?: number | undefined
  outputSchema?: Record<string, unknown> | undefined
  /** Id or number of the todo that it serves. */
  todo?: string | undefined
  /** Its end waits for a person's approval. */
  review?: "required" | undefined
  /** What Docket says in the prompt, as data. */
  notice?: Notice | undefined
  /** What is stored together with the task. */
  more?: Mutation[] | undefined
}

/** The session that delegates, as its turn has it. */
export type Delegator = Pick<TurnContext, "session" | "project" | "config" | "agent" | "model"> & {
  /** Of whom it says for whom the task works. */
  turn: Pick<Turn, "by" | "cause">
}

/** The tool call that delegates; without ids when a person does. */
export type DelegationCall = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "messageID" | "partID" | "callID">>

/** Starts a task: checks what can be checked now, makes the child, stores and queues it. */
export type Delegate = (turn: Delegator, call: DelegationCall, request: DelegateRequest) => Promise<Task>
