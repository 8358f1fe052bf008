import type { Bus } from "../../ground/event/bus.ts"
import { createRowNotifier, type RowNotifier } from "../../ground/event/row-notifier.ts"
import { standingVerdicts } from "../../ground/message/review-status.ts"
import type { DocketEvent } from "../../ground/schema/index.ts"
import { type Store, taskSummary } from "../../ground/store/index.ts"
import { isReviewNews } from "../../ground/store/task-ends.ts"

interface TaskRowsDeps {
  store: Pick<Store, "session" | "task" | "review">
  bus: Bus
  pauseMs: number
  onError(error: unknown): void
}

/** Publishes the row of a task to readers of review lists when it joins a list, changes or leaves it. */
export function createTaskRows({ store, bus, ...deps }: TaskRowsDeps): RowNotifier {
  return createRowNotifier({ ...deps, bus, keyOf: taskOf, tell: (taskIDs) => tell({ store, bus }, taskIDs) })
}

function taskOf(event: DocketEvent): string | null {
  if (event.type === "review.verdict.updated") return event.properties.verdict.taskID
  if (event.type !== "task.updated") return null
  const { task } = event.properties
  return isReviewNews(task) ? task.id : null
}

async function tell({ store, bus }: Pick<TaskRowsDeps, "store" | "bus">, taskIDs: string[]): Promise<void> {
  const found = await Promise.all(taskIDs.map((id) => store.task.get(id)))
  const tasks = Map.groupBy(
    found.filter((task) => task !== null),
    ({ rootID }) => rootID,
  )
  for (const { session } of await store.session.listed([...tasks.keys()])) {
    if (session.time.archived !== null) continue
    const { verdicts } = await store.review.tree(session.id)
    for (const task of tasks.get(session.id) ?? []) {
      const standing = standingVerdicts(verdicts.filter(({ taskID }) => taskID === task.id))
      const judgedBy = standing.map(({ by }) => by.person)
      const properties = { task: taskSummary(task), title: session.title, judgedBy }
      bus.publish({ type: "task.listed", rootID: session.id, seq: null, properties })
    }
  }
}
