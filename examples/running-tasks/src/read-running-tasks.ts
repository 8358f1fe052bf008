import type { DocketClient, TaskSummary } from "@docket/client"

export interface RunningTask {
  /** Of the tree that it belongs to. */
  title: string
  task: TaskSummary
}

/** The tasks that run now, in the sessions that changed last. */
export async function readRunningTasks(client: DocketClient): Promise<RunningTask[]> {
  const { items } = await client.session.list.query({ limit: 50 })
  const working = items.filter(({ running }) => running > 0)
  const trees = await Promise.all(
    working.map(async ({ session }) => {
      const tasks = await client.task.list.query({ sessionID: session.id })
      return tasks.filter(({ state }) => state === "running").map((task) => ({ title: session.title, task }))
    }),
  )
  return trees.flat()
}
