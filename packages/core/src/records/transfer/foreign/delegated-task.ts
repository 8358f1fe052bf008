import { createIdSource } from "../../../ground/id/create-id.ts"
import { totalTokens } from "../../../ground/message/token-usage.ts"
import type { Session, Task, ToolPart } from "../../../ground/schema/index.ts"
import type { TaskMetadata } from "../../../ground/schema/tool-metadata.ts"
import type { ForeignSession } from "./foreign-session.ts"

interface TaskPlace {
  number: number
  /** The child. */
  session: Session
  /** The call in its parent. */
  part: ToolPart
}

/** The task of a child that another program wrote down: its end was told by its call. */
export function delegatedTask(child: ForeignSession, { number, session, part }: TaskPlace): Task {
  const { state } = part
  const calls = child.messages.flatMap(({ parts }) => parts).filter(({ content }) => content.type === "tool")
  const { cost, tokens, time } = session
  return {
    id: createIdSource(() => child.created)("task"),
    number,
    rootID: session.rootID,
    parentID: session.parentID ?? session.id,
    sessionID: session.id,
    messageID: part.messageID,
    partID: part.id,
    callID: part.callID,
    turnID: null,
    agent: child.agent,
    description: child.title,
    prompt: child.brief,
    model: session.model ?? child.messages[0]?.model ?? { providerID: "unknown", modelID: "unknown" },
    mode: "blocking",
    state: child.failed ? "failed" : "completed",
    result: state.status === "completed" ? state.output : null,
    resultPath: null,
    outputSchema: null,
    output: null,
    error: state.status === "error" ? { type: "failed", message: state.error } : null,
    usage: { tokens, cost, toolCalls: calls.length },
    limits: { tokens: null, cost: null, wallClock: null, toolCalls: null },
    deadline: null,
    todoID: null,
    worktree: null,
    delivered: "result",
    time: { created: time.created, started: time.created, ended: time.updated },
  }
}

/** What the call of a task keeps of it. */
export function taskMetadata(task: Task): TaskMetadata {
  const { started, ended } = task.time
  return {
    sessionId: task.sessionID,
    agent: task.agent,
    model: task.model,
    description: task.description,
    state: task.state,
    summary: [],
    toolCount: task.usage.toolCalls,
    startedAt: started ?? 0,
    elapsed: (ended ?? 0) - (started ?? 0),
    tokens: totalTokens(task.usage.tokens),
    cost: task.usage.cost,
    answerLength: task.result?.length ?? 0,
  }
}
