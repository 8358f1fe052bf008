import type { ToolContext } from "../../acts/tool/tool.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { callAlarm } from "../../ground/message/call-mark.ts"
import { noUsage, totalTokens, type Usage } from "../../ground/message/token-usage.ts"
import type { DocketEvent, ModelRef, Session, Task, ToolPart } from "../../ground/schema/index.ts"
import type { TaskMetadata } from "../../ground/schema/tool-metadata.ts"
import { failureReason } from "./task-answers.ts"

/** The newest calls of the child that the card lists; `toolCount` counts all. */
const maxSummary = 50

/** Mirrors what happens in a child session into the metadata of the parent's tool part. */
export function mirrorProgress(
  deps: { bus: Bus; clock: () => number },
  task: { id: string; child: Session; agent: string; model: ModelRef; description: string },
  context: Pick<ToolContext<"task">, "progress">,
): { end(task: Task): TaskMetadata } {
  const { child } = task
  const startedAt = deps.clock()
  const calls = new Map<string, TaskMetadata["summary"][number]>()
  let state: TaskMetadata["state"] = "queued"
  let failure: string | null = null
  let usage: Usage = noUsage
  const metadata = (): TaskMetadata => ({
    sessionId: child.id,
    agent: task.agent,
    model: task.model,
    description: task.description,
    state,
    summary: [...calls.values()].slice(-maxSummary),
    toolCount: calls.size,
    startedAt,
    elapsed: deps.clock() - startedAt,
    tokens: totalTokens(usage.tokens),
    cost: usage.cost,
    ...(failure !== null && { failure }),
  })
  const report = () => context.progress({ title: task.description, metadata: metadata() })
  const hear = (event: DocketEvent) => {
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      if (part.type !== "tool" || part.sessionID !== child.id) return
      calls.set(part.id, { id: part.id, tool: part.tool, status: stepStatus(part), title: callTitle(part) })
    } else if (event.type === "session.updated" && event.properties.info.id === child.id) {
      if (state !== "queued" || event.properties.info.status.type === "idle") return
      state = "running"
    } else if (event.type === "task.updated" && event.properties.task.id === task.id) {
      if (event.properties.task.usage === usage) return
      usage = event.properties.task.usage
    } else return
    report()
  }
  const unsubscribe = deps.bus.subscribe((event) => {
    if (event.rootID === child.rootID) hear(event)
  })
  report()
  return {
    end(ended) {
      unsubscribe()
      state = ended.state
      usage = ended.usage
      failure = failureReason(ended)
      report()
      return metadata()
    },
  }
}

/** A command that failed is none that went well. */
function stepStatus(part: ToolPart): TaskMetadata["summary"][number]["status"] {
  return callAlarm(part) === null ? part.state.status : "error"
}

function callTitle(part: ToolPart): string {
  const { state } = part
  return state.status === "pending" ? "" : (state.title ?? "")
}
