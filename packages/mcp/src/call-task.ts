import type { Timers } from "@docket/core/timers"
import type { CallToolResult, Client } from "@modelcontextprotocol/client"
import { z } from "zod"

/** ms that a server keeps what a task gave, and between two looks at it unless the server says. */
const keptMs = 60 * 60_000
const usualPoll = 1_000
/** ms; a task is looked at no more often. */
const leastPoll = 200

const Task = z.looseObject({
  taskId: z.string(),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
})
const Created = z.looseObject({ task: Task })
const Result = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

interface TaskOptions {
  timers: Timers
  signal: AbortSignal
  timeout: number
  /** The server says where it stands. */
  onStatus(words: string): void
}

/**
 * Calls a tool that works as a task: it is begun, looked at until it is over, and its result fetched. Stopping it cancels
 * it at the server.
 */
export async function callAsTask(
  client: Pick<Client, "request">,
  call: { name: string; arguments: Record<string, unknown>; _meta?: Record<string, unknown> },
  { timers, signal, timeout, onStatus }: TaskOptions,
): Promise<CallToolResult> {
  const options = { signal, timeout }
  const begin = { method: "tools/call", params: { ...call, task: { ttl: keptMs } } }
  const { task } = await client.request(begin, Created, options)
  const { taskId } = task
  try {
    // It is answered once the task is over; what the server asks meanwhile comes with it.
    let isOver = false
    const result = client.request({ method: "tasks/result", params: { taskId } }, Result, options)
    const over = result.then(
      () => {
        isOver = true
      },
      () => {
        isOver = true
      },
    )
    for (let last = task; !isOver; ) {
      onStatus(last.statusMessage ?? last.status.replace("_", " "))
      const wait = Promise.withResolvers<void>()
      const forget = timers.after(Math.max(last.pollInterval ?? usualPoll, leastPoll), wait.resolve)
      await Promise.race([wait.promise, over])
      forget()
      if (!isOver) last = await client.request({ method: "tasks/get", params: { taskId } }, Task, options)
    }
    // The blocks are read one by one, and an unknown kind is named.
    return (await result) as CallToolResult
  } catch (error) {
    if (signal.aborted)
      await client
        .request({ method: "tasks/cancel", params: { taskId } }, Task, { timeout: usualPoll })
        .catch(() => undefined)
    throw error
  }
}
