import type { Scheduler } from "../engine/schedule/scheduler.ts"
import type { Prompts } from "../engine/turn/prompts.ts"
import type { Workspace } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import type { Services } from "./create-services.ts"
import type { OffboardingCounts } from "./runtime.ts"
import { type StopWorkDeps, stopWorkOf } from "./stop-work-of.ts"
import { type WorkOfDeps, workOf } from "./work-of.ts"

export interface OffboardDeps
  extends Pick<Services, "sessions">,
    Omit<StopWorkDeps, "tasks">,
    Omit<WorkOfDeps, "tasks"> {
  store: Pick<Store, "turn" | "session" | "webhook">
  prompts: Pick<Prompts, "withdraw">
  tasks: StopWorkDeps["tasks"] & WorkOfDeps["tasks"]
  scheduler: Pick<Scheduler, "list" | "setStatus">
}

export interface FormerMember {
  person: string
  /** Ids under which tokens acted for them. */
  others: readonly string[]
}

/**
 * Withdraws the queued prompts of a former member, pauses their schedules, and stops their running turns or lets them
 * finish. Prompts of others stay queued. Nothing is deleted.
 */
export async function offboard(
  deps: OffboardDeps,
  { person, others }: FormerMember,
  whenRemoved: Workspace["whenRemoved"],
): Promise<OffboardingCounts> {
  const counts: OffboardingCounts = { withdrawn: 0, stopped: 0, running: 0, paused: 0, hidden: 0, webhooks: 0 }
  const theirs = new Set([person, ...others])
  const isTheirs = ({ by }: { by?: { person: string } | undefined }) => by !== undefined && theirs.has(by.person)
  // Schedules first: otherwise one could start a turn after the turns are stopped.
  for (const schedule of await deps.scheduler.list()) {
    if (schedule.status !== "active" || !isTheirs(schedule)) continue
    await deps.scheduler.setStatus(schedule.id, "paused")
    counts.paused += 1
  }
  for (const turn of await deps.store.turn.open())
    if (turn.status === "queued" && isTheirs(turn) && (await deps.prompts.withdraw(turn.id))) counts.withdrawn += 1
  counts[whenRemoved === "stop" ? "stopped" : "running"] = await workOf(deps, theirs)
  if (whenRemoved === "stop") await stopWorkOf(deps, theirs)
  const webhooks = await deps.store.webhook.list()
  counts.webhooks = webhooks.filter((each) => each.status === "active" && isTheirs(each)).length
  counts.hidden = (await deps.store.session.private()).filter((tree) => tree.person === person).length
  return counts
}

/** Makes the private trees of a former member visible to the workspace. Answers how many. */
export async function openTreesOf(
  { store, sessions }: Pick<OffboardDeps, "store" | "sessions">,
  owner: { person: string; workspace: string },
): Promise<number> {
  const trees = (await store.session.private()).filter(({ person }) => person === owner.person)
  for (const { rootID } of trees) await sessions.setVisibility(rootID, "workspace", owner)
  return trees.length
}
