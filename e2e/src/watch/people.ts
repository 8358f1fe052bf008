import { setTimeout as delay } from "node:timers/promises"
import type { TaskSummary } from "@docket/core/schema"
import type { Desk } from "./activities.ts"
import { goOn } from "./long-work.ts"
import type { Reader } from "./reader.ts"

/**
 * Answers the request on screen: a question with its first option, a command mostly with yes. False when there is none.
 */
export async function answer({ page }: Reader, { random, faults }: Desk): Promise<boolean> {
  const card = page.locator("[data-permission]")
  if (!(await card.isVisible())) return false
  const id = await card.getAttribute("data-permission")
  const option = card.getByRole("radio").first()
  if (await option.isVisible()) {
    await option.check()
    await card.getByRole("button", { name: "Answer", exact: true }).click()
  } else {
    const name = random.between(0, 1) < 0.85 ? "Allow once" : "Reject"
    await card.getByRole("button", { name, exact: true }).click()
  }
  await page.locator(`[data-permission="${id}"]`).waitFor({ state: "detached" })
  faults.passed("answered what waited")
  return true
}

/** Resumes ended children, and sometimes ticks a todo, like a user at another screen. */
export async function tend({ client, rootID, random }: Desk): Promise<void> {
  for (const { id, description } of await endedChildren({ client, rootID })) {
    await client.task.resume.mutate({ taskID: id, text: goOn(description) })
  }
  const todos = await client.todo.list.query({ sessionID: rootID })
  const [first, ...rest] = todos
  if (!first || random.between(0, 1) > 0.2) return
  const { id } = random.one([first, ...rest])
  await client.todo.update.mutate({ todo: id, status: random.one(["completed", "in_progress", "pending"] as const) })
}

/** The newest task of each child that has no running task. */
async function endedChildren({ client, rootID }: Pick<Desk, "client" | "rootID">): Promise<TaskSummary[]> {
  const newest = new Map<string, TaskSummary>()
  for (const task of await client.task.list.query({ sessionID: rootID })) {
    if (task.number > (newest.get(task.sessionID)?.number ?? 0)) newest.set(task.sessionID, task)
  }
  return [...newest.values()].filter(({ state }) => state !== "running" && state !== "queued")
}

/** Resolves when nothing in the tree works or waits; pending requests are answered on the way. */
export async function settled(reader: Reader, desk: Desk): Promise<void> {
  for (const end = Date.now() + 240_000; Date.now() < end; ) {
    const { sessions, tasks, turns } = await desk.client.session.tree.query({ sessionID: desk.rootID })
    const works = sessions.some(({ status }) => status.type !== "idle") || turns.length > 0
    const hasOpenTask = tasks.some(
      ({ state, delivered }) => state === "running" || state === "queued" || delivered === "no",
    )
    if (!works && !hasOpenTask) return
    await answer(reader, desk)
    await delay(1_000)
  }
  desk.faults.add("service", "the tree has not come to its rest four minutes after the end")
}
