import type { Scheduler } from "../engine/schedule/scheduler.ts"
import type { Prompts } from "../engine/turn/prompts.ts"
import type { Workspace } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import type { Services } from "./create-services.ts"
import type { LeftBehind } from "./runtime.ts"
import { type StopWorkDeps, stopWorkOf } from "./stop-work-of.ts"
import { type WorkOfDeps, workOf } from "./work-of.ts"

export interface PutAwayDeps
  extends Pick<Services, "sessions">,
    Omit<StopWorkDeps, "tasks">,
    Omit<WorkOfDeps, "tasks"> {
  store: Pick<Store, "turn" | "session" | "webhook">
  prompts: Pick<Prompts, "withdraw">
  tasks: StopWorkDeps["tasks"] & WorkOfDeps["tasks"]
  scheduler: Pick<Scheduler, "list" | "setStatus">
}

export interface Gone {
  person: string
  /** Who acted for them. */
  others: readonly string[]
}

/**
 * Puts away what somebody who is gone left behind: prompts that wait are withdrawn, schedules pause, and what runs is
 * finished or stopped. What others have queued behind that waits on. Nothing is removed.
 */
export async function putAway(
  deps: PutAwayDeps,
  { person, others }: Gone,
  whenRemoved: Workspace["whenRemoved"],
): Promise<LeftBehind> {
  const left: LeftBehind = { withdrawn: 0, stopped: 0, running: 0, paused: 0, hidden: 0, webhooks: 0 }
  const theirs = new Set([person, ...others])
  const isTheirs = ({ by }: { by?: { person: string } | undefined }) => by !== undefined && theirs.has(by.person)
  // First of all, so that none of them starts what is stopped next.
  for (const schedule of await deps.scheduler.list()) {
    if (schedule.status !== "active" || !isTheirs(schedule)) continue
    await deps.scheduler.setStatus(schedule.id, "paused")
    left.paused += 1
  }
  for (const turn of await deps.store.turn.open())
    if (turn.status === "queued" && isTheirs(turn) && (await deps.prompts.withdraw(turn.id))) left.withdrawn += 1
  left[whenRemoved === "stop" ? "stopped" : "running"] = await workOf(deps, theirs)
  if (whenRemoved === "stop") await stopWorkOf(deps, theirs)
  left.webhooks = (await deps.store.webhook.list()).filter((each) => each.status === "active" && isTheirs(each)).length
  left.hidden = (await deps.store.session.private()).filter((tree) => tree.person === person).length
  return left
}

/** Shows the workspace the trees that only somebody who is gone could see. Answers how many. */
export async function openTreesOf(
  { store, sessions }: Pick<PutAwayDeps, "store" | "sessions">,
  owner: { person: string; workspace: string },
): Promise<number> {
  const trees = (await store.session.private()).filter(({ person }) => person === owner.person)
  for (const { rootID } of trees) await sessions.setVisibility(rootID, "workspace", owner)
  return trees.length
}
