import type { Tasks } from "../engine/delegation/tasks.ts"
import { LimitReached, StoppedByUser } from "../engine/loop/stop-reason.ts"
import type { SessionQueues } from "../engine/turn/session-queues.ts"
import type { DocketEvent, Session } from "../ground/schema/index.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"
import { takeOver } from "./start-runtime.ts"
import type { TreeWork } from "./work-on-trees.ts"

interface Running {
  sessionQueues: SessionQueues
  treeWork: TreeWork
  tasks: Tasks
}

/**
 * Works beside other runtimes on the same store: learns from changed rows what they ask of turns that run here, and
 * takes over the turns of a dead runtime. Returns a function that stops this.
 */
export function workBesideOthers(deps: RuntimeDeps, services: Services, running: Running): () => Promise<void> {
  const { shared, onError } = deps
  if (shared === undefined) return async () => {}
  services.follower.onForeign((event) => void hear(services, running, event).catch(onError))
  const changed = { type: "project.hosts.changed" as const, properties: {}, rootID: null, seq: null }
  const unwatch = shared.hosts?.watch(() => services.bus.publish(changed))
  let taking: Promise<void> = Promise.resolve()
  const isNode = shared.isAlive !== undefined
  const look = () => {
    taking = taking.then(() => takeOver(deps, services, running)).catch(onError)
  }
  // Grants for a project belong to no tree that is followed here, so they are read at intervals.
  const lookForGrants = () => void services.broker.lookAgain().catch(onError)
  const timers = [setInterval(lookForGrants, shared.pollMs)]
  if (!isNode) timers.push(setInterval(look, services.leases.leaseMs / 2))
  for (const timer of timers) timer.unref()
  return async () => {
    for (const timer of timers) clearInterval(timer)
    unwatch?.()
    services.follower.close()
    for (const { close } of [services.relay, services.presence, services.editors, services.shares]) close()
    await taking
  }
}

async function hear(
  services: Services,
  { sessionQueues, treeWork, tasks }: Running,
  event: DocketEvent,
): Promise<void> {
  switch (event.type) {
    case "turn.updated":
      return treeWork.heard(event.properties.turn)
    case "permission.replied":
      return services.broker.notified(event.properties.request)
    case "task.updated":
      return tasks.notified(event.properties.task)
    case "session.updated":
      return hearSession(services, { sessionQueues, tasks }, event.properties.info)
    default:
      return
  }
}

async function hearSession(
  services: Services,
  { sessionQueues, tasks }: Pick<Running, "sessionQueues" | "tasks">,
  session: Session,
): Promise<void> {
  const { id, stop, abortedAt } = session
  services.notes.notified(session)
  if (session.preset) await services.broker.reconsider(session)
  if (stop)
    await sessionQueues.stop(
      stop.turnID,
      stop.limit === null ? new StoppedByUser(stop.by) : new LimitReached(stop.limit),
    )
  const task = tasks.ofChild(id)
  if (abortedAt !== null && task?.state === "queued") await tasks.cancel(task.id)
}
