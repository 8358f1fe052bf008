import { recoverStepFiles } from "../engine/calls/recover-step-files.ts"
import type { Tasks } from "../engine/delegation/tasks.ts"
import type { Reverts } from "../engine/revert/create-reverts.ts"
import type { Scheduler } from "../engine/schedule/scheduler.ts"
import { leftBehind, recover } from "../engine/turn/recover.ts"
import type { SessionQueues } from "../engine/turn/session-queues.ts"
import { findWaitingTurns, type WaitingTurns } from "../engine/turn/waiting-turns.ts"
import { pause } from "../ground/concurrency/pause.ts"
import type { Session, Turn } from "../ground/schema/index.ts"
import { workingProject } from "../setup/project/working-project.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

interface Running {
  sessionQueues: SessionQueues
  tasks: Tasks
}

/** Repairs what a crash left behind, before anything runs; then continues interrupted turns. */
export async function startRuntime(
  deps: RuntimeDeps,
  services: Services,
  { sessionQueues, reverts, tasks, scheduler }: Running & { reverts: Reverts; scheduler: Scheduler },
): Promise<void> {
  const { commands, store, leases } = services
  await commands.reap()
  await services.snapshots.sweep()
  // What is open in a tree is the business of the node that an engine gives it to.
  if (deps.shared?.isAlive !== undefined) return reverts.recover()
  const open = await store.turn.open()
  /** Trees that another runtime works on. */
  const elsewhere = new Set(open.filter(leases.isElsewhere).map((turn) => turn.rootID))
  const isLeft = ({ rootID }: { rootID: string }) => !elsewhere.has(rootID)
  const { turns, waiting } = await putRight(deps, services, { left: leftBehind(open, leases), isLeft })
  await reverts.recover()
  const diedAt = services.heartbeat.last
  await commands.endBackground(await tasks.recover(isLeft, { diedAt, waiting: waiting.tasks }))
  await tasks.restore(isLeft)
  const resumeWaiting = await tasks.keepWaiting(waiting, diedAt)
  // Before any turn can create a worktree that belongs to no task yet.
  await sweepWorktrees(services)
  for (const turn of turns) sessionQueues.add(turn)
  resumeWaiting()
  await tasks.tellRecovered(new Set(turns.map((turn) => turn.sessionID)), isLeft)
  await scheduler.start()
}

/**
 * Continues the turns of trees that a dead runtime left: a turn is running with an expired lease, or a prompt has
 * waited as long while nothing runs. If several runtimes try, each turn is taken by one.
 */
export async function takeOver(
  deps: RuntimeDeps,
  services: Services,
  { sessionQueues, tasks }: Running,
): Promise<void> {
  const open = await services.store.turn.open()
  const mine = new Set(open.filter(({ id }) => sessionQueues.has(id)).map((turn) => turn.rootID))
  const left = leftBehind(open, services.leases).filter((turn) => !mine.has(turn.rootID))
  const waitedSince = deps.clock() - services.leases.leaseMs
  const hasWaitedLong = ({ id, sessionID, rootID, time }: Turn) =>
    sessionID === rootID && time.created < waitedSince && !sessionQueues.has(id)
  const isOrphan = (turn: Turn) => turn.status === "running" || hasWaitedLong(turn)
  const dead = new Set(left.filter(isOrphan).map((turn) => turn.rootID))
  if (dead.size === 0) return
  const isLeft = ({ rootID }: { rootID: string }) => dead.has(rootID)
  await goOn(deps, services, { left: left.filter(isLeft), isLeft, sessionQueues, tasks })
}

/**
 * Puts right what another node left in a tree, and queues what goes on. This node has the tree: nothing else works on it,
 * whatever its turns say.
 */
export async function takeUpTree(
  deps: RuntimeDeps,
  services: Services,
  { rootID, sessionQueues, tasks }: Running & { rootID: string },
): Promise<void> {
  await bringSnapshots(deps, services, rootID)
  const isLeft = (row: { rootID: string }) => row.rootID === rootID
  const left = await services.store.turn.open({ rootID })
  await goOn(deps, services, { left, isLeft, sessionQueues, tasks })
}

/** How long a tree that is taken over waits for what its store of contents has (ms). */
const bringMs = 10_000

/** Fetches the snapshots of a host that is gone, so that the changes of its last step are found, and undone. */
async function bringSnapshots(deps: RuntimeDeps, services: Services, rootID: string): Promise<void> {
  if (services.contents === null) return
  try {
    const root = await services.sessions.get(rootID)
    const project = workingProject(root, await services.projects.get(root.projectID))
    if (!project.git) return
    const left = new AbortController()
    const brought = services.snapshots.bring(project, rootID).catch(deps.onError)
    await Promise.race([brought, pause(bringMs, left.signal)])
    left.abort()
  } catch (error) {
    deps.onError(error)
  }
}

interface Left extends Running {
  /** Open turns that nothing runs. */
  left: Turn[]
  isLeft(row: { rootID: string }): boolean
}

/** Puts right what was left, and queues what goes on. */
async function goOn(
  deps: RuntimeDeps,
  services: Services,
  { left, isLeft, sessionQueues, tasks }: Left,
): Promise<void> {
  const { turns, waiting } = await putRight(deps, services, { left, isLeft })
  await tasks.recover(isLeft, { diedAt: null, waiting: waiting.tasks })
  await tasks.restore(isLeft)
  const resumeWaiting = await tasks.keepWaiting(waiting, null)
  for (const turn of turns) sessionQueues.add(turn)
  resumeWaiting()
  await tasks.tellRecovered(new Set(turns.map((turn) => turn.sessionID)), isLeft)
}

/** Closes what turns without a runner left open, except calls that continue to wait for an answer. */
async function putRight(
  deps: RuntimeDeps,
  services: Services,
  { left, isLeft }: Pick<Left, "left" | "isLeft">,
): Promise<{ turns: Turn[]; waiting: WaitingTurns }> {
  const stopped = new Set(await services.stopMarkers.list())
  const running = left.filter(({ id, status }) => status === "running" && !stopped.has(id))
  const waiting = await findWaitingTurns(services.store, running)
  services.broker.keep(waiting.requests)
  await services.broker.expire(isLeft)
  const stepFileDeps = { ...services, projectByID: services.projects.get, onError: deps.onError }
  const stepFiles = (session: Session, turn: Turn) => recoverStepFiles(stepFileDeps, session, turn)
  return { turns: await recover({ ...services, isLeft, stepFiles, waiting }, left), waiting }
}

async function sweepWorktrees({ store, worktrees }: Services): Promise<void> {
  const { tasks, unread } = await store.task.withWorktree()
  // When a task cannot be read, any worktree without a known task may belong to it.
  if (unread > 0) return
  const hasSession = (id: string) =>
    store.session.get(id).then(
      (session) => session !== null,
      // One that cannot be read is there.
      () => true,
    )
  await worktrees.sweep(
    tasks.flatMap((task) => task.worktree ?? []),
    hasSession,
  )
}
