import { join } from "node:path"
import { type Changes, createChanges } from "../../engine/changes/create-changes.ts"
import { createDescribe } from "../../engine/changes/describe-changes.ts"
import {
  type AskedTask,
  makeChild,
  type ResumePrompt,
  restartTask,
  resumeTask,
  startTask,
} from "../../engine/delegation/delegate-for-person.ts"
import { type ForkFilesDeps, forkFiles } from "../../engine/delegation/fork-files.ts"
import { createTaskService } from "../../engine/delegation/task-service.ts"
import { combineHooks } from "../../engine/loop/hooks.ts"
import { StoppedByUser } from "../../engine/loop/stop-reason.ts"
import { createPlanService } from "../../engine/plan/plan-service.ts"
import { createReverts, type Reverts } from "../../engine/revert/create-reverts.ts"
import { createScheduleTarget, type ScheduleTargetDeps } from "../../engine/schedule/schedule-target.ts"
import { createScheduler, type Scheduler } from "../../engine/schedule/scheduler.ts"
import { expandDelegations } from "../../engine/turn/expand-delegations.ts"
import { everyTree } from "../../engine/turn/held-trees.ts"
import { createPrompts, type Prompts } from "../../engine/turn/prompts.ts"
import { createSessionQueues, type SessionQueues } from "../../engine/turn/session-queues.ts"
import { createTurnQueue, type TurnQueue } from "../../engine/turn/turn-queue.ts"
import { findOrMake } from "../../ground/id/find-or-make.ts"
import { keyedID } from "../../ground/id/keyed-id.ts"
import type { Caller, Session, Task } from "../../ground/schema/index.ts"
import { taskMark } from "../../records/review/reviewed-state.ts"
import { createMarkerFiles } from "../../records/session/marker-files.ts"
import { subtree } from "../../records/session/subtree.ts"
import { type ForkDeps, type ForkRequest, forkSession } from "../../records/transfer/fork-session.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { costOf } from "../../setup/provider/cost-of.ts"
import { checkModel } from "../../setup/provider/create-providers.ts"
import { toMessageError } from "../../setup/provider/to-message-error.ts"
import { tracedModel } from "../../setup/provider/traced-model.ts"
import type { CallerServices } from "../caller-services.ts"
import { createDelegation, type Delegation } from "../create-delegation.ts"
import { createRuntimeReviews } from "../create-reviews.ts"
import type { Services } from "../create-services.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import { takeUpTree } from "../start-runtime.ts"
import { createTreeWork, type TreeWork } from "../work-on-trees.ts"

/** What begins and stops turns, and what works beside them. */
export interface Running {
  sessionQueues: SessionQueues
  treeWork: TreeWork
  queue: TurnQueue
  prompts: Prompts
  changes: Changes
  describe: ReturnType<typeof createDescribe>
  reverts: Reverts
  delegation: Delegation
  scheduler: Scheduler
  /** Tells extensions that the session is about to be removed. No failure of theirs keeps it. */
  sessionEnds(session: Session): Promise<void>
  /** Removes the worktree of a removed fork, if it has one. A failure is only reported: the next start tries again. */
  worktreeEnds(session: Session): Promise<void>
}

export function createRunning(deps: RuntimeDeps, services: Services): Running {
  const sessionQueues = createSessionQueues(deps)
  const isNode = deps.shared?.isAlive !== undefined
  const treeWork = createTreeWork({
    ...{ store: services.store, sessionQueues, follow: services.follower.follow },
    isKnown: ({ sessionID }) => delegation.tasks.ofChild(sessionID) !== null,
    lost(rootID) {
      const sessionIDs = delegation.tasks.lose(rootID)
      services.commands.endBackground([rootID, ...sessionIDs]).catch(deps.onError)
    },
    async takeUp(rootID) {
      // A turn whose files cannot be had says so itself.
      await services.repositories.enter(rootID, new AbortController().signal).catch(deps.onError)
      await takeUpTree(deps, services, { rootID, sessionQueues, tasks: delegation.tasks })
    },
  })
  const queue = createTurnQueue({ ...services, sessionQueues, heldTrees: isNode ? treeWork : everyTree })
  const reverts = createRuntimeReverts(deps, services)
  const prompts = createPrompts({
    ...services,
    hooks: combineHooks([...services.plugs, { prompt: expandDelegations }]),
    queue,
    reverts,
    sessionByID: services.sessions.get,
    commandsOf: async ({ projectID }, person) =>
      services.offeredCommandsOf(await services.projects.get(projectID), person),
    checkModel: (config, wanted) => checkModel(deps.providers, config, wanted),
  })
  const changes = createRuntimeChanges(deps, services)
  const delegation = createDelegation(deps, services, { queue, sessionQueues, prompts, changes })
  const scheduler = createRuntimeScheduler(deps, services, prompts)
  const describe = createDescribe({
    ...{ changes, clock: deps.clock, providerTimeoutMs: deps.providerTimeoutMs },
    hooks: services.hooks,
    journal: services.journal,
    sessionByID: services.sessions.get,
    setupOf: services.setupOf,
    scanSourcesOf: services.scanSourcesOf,
    models: {
      resolve: async (ref, config) =>
        tracedModel(
          { trace: services.trace, now: () => performance.now() },
          ref,
          await deps.providers.resolve(ref, config),
        ),
      ...{ smallModel: deps.providers.smallModel, costOf },
      toMessageError: (error, ref) => toMessageError(error, { providerID: ref.providerID }),
    },
  })
  const sessionEnds = async (session: Session) => {
    const project = workingProject(session, await services.projects.get(session.projectID))
    await services.hooks.sessionEnds(session, project).catch(deps.onError)
  }
  const worktreeEnds = async (session: Session) => {
    const { id, projectID, branch } = session
    if (session.repository !== undefined) await services.repositories.removed(session).catch(deps.onError)
    if (branch === undefined) return
    await services.worktrees.discardFork(await services.projects.get(projectID), id).catch(deps.onError)
  }
  const ends = { sessionEnds, worktreeEnds }
  return { sessionQueues, treeWork, queue, prompts, changes, describe, reverts, delegation, scheduler, ...ends }
}

type RunningServices = "session" | "prompt" | "abort" | "task" | "changes" | "plan" | "review" | "schedule"

/** What a caller asks of sessions and of what works in them. */
export function createRunningServices(
  services: Services,
  running: Running,
): (caller: Caller) => Pick<CallerServices, RunningServices> {
  const { store, todos, sessions, projects } = services
  const { prompts, changes, delegation, scheduler } = running
  const { tasks, abort, submit } = delegation
  const taskDeps = {
    ...services,
    tasks,
    reviewOf: (task: Task) => taskMark(services, task),
    sessionByID: sessions.get,
    /** Where branches of tasks are merged: the project, or the worktree of a fork. */
    projectOf: async ({ rootID, projectID }: Session) =>
      workingProject(await sessions.get(rootID), await projects.get(projectID)),
    async start(asked: AskedTask) {
      await wakeRoot(services, tasks, asked.parent.rootID)
      return startTask(services, delegation.delegate, asked)
    },
    async restart(task: Task, parent: Session, by: Caller) {
      await wakeRoot(services, tasks, parent.rootID)
      return restartTask(services, delegation.delegate, { task, parent, by })
    },
    async resume(task: Task, parent: Session, prompt: ResumePrompt) {
      await wakeRoot(services, tasks, parent.rootID)
      return resumeTask(services, delegation.delegate, { task, parent, ...prompt })
    },
  }
  const reviews = createRuntimeReviews(services, { changes, tasks, submit, resume: taskDeps.resume })
  const { planRoot, contents } = services
  const planDeps = { store, todos, planRoot, contents, sessionByID: sessions.get, projectByID: projects.get }
  return (caller) => ({
    session: sessionServiceOf(services, running, caller),
    prompt: {
      ...prompts,
      submit: (sessionID, input, id) => prompts.submit(sessionID, input, caller, id),
      withdraw: (turnID) => prompts.withdraw(turnID, caller),
      change: (turnID, change) => prompts.change(turnID, change, caller),
    },
    abort: (sessionID) => abort(sessionID, new StoppedByUser(caller)),
    task: createTaskService(taskDeps, caller),
    changes: { ...changes, describe: (sessionID) => running.describe(sessionID, caller) },
    plan: createPlanService(planDeps, caller),
    review: reviews(caller),
    schedule: scheduler.as(caller),
  })
}

function sessionServiceOf(services: Services, running: Running, caller: Caller): CallerServices["session"] {
  const { prompts, reverts, delegation } = running
  const { store, sessions, broker } = services
  const remove = (id: string) => removeSession(services, running, id, caller)
  return {
    ...sessions,
    create: (input) => sessions.create(input, caller),
    createChild: async (parentID, input) =>
      makeChild(services, { ...input, parent: await sessions.get(parentID), by: caller }),
    async fork(id, { messageID, worktree, id: fresh }) {
      const [deps, source] = [forkDeps(services), await sessions.get(id)]
      const place: ForkRequest["place"] = worktree ? (fork) => forkFiles(deps, source, fork) : undefined
      return forkSession(deps, source, { messageID, id: fresh, by: caller, place })
    },
    markRead: (id, at) => sessions.markRead(id, at, caller),
    async setPreset(id, preset) {
      const session = await sessions.setPreset(id, preset, caller)
      await broker.reconsider(session)
      return session
    },
    setVisibility: (id, visibility) => sessions.setVisibility(id, visibility, caller),
    async output(partID, from) {
      const { id, sessionID } = await sessions.part(partID)
      return services.savedOutputs.page({ id, sessionID, rootID: (await sessions.get(sessionID)).rootID }, from)
    },
    async start({ parts, tools, outputSchema, ...input }, request) {
      const madeOnce = <T>(
        kind: "session" | "turn",
        make: (id?: string) => Promise<T>,
        find: (id: string) => Promise<T | null>,
      ) => {
        const id = request && keyedID(kind, request)
        return id
          ? findOrMake(
              () => find(id),
              () => make(id),
            )
          : make()
      }
      const session = await madeOnce("session", (id) => sessions.create({ ...input, id }, caller), store.session.get)
      const prompt = { parts, ...(tools && { tools }), ...(outputSchema && { outputSchema }) }
      const submit = (id?: string) => prompts.submit(session.id, prompt, caller, id)
      try {
        const turn = await madeOnce("turn", submit, store.turn.get)
        return { session: request === undefined ? session : await sessions.get(session.id), turn }
      } catch (error) {
        const isThere = request !== undefined && (await store.turn.get(keyedID("turn", request))) !== null
        if (!isThere) await remove(session.id)
        throw error
      }
    },
    remove,
    revert: (id, messageID, partID) => reverts.undo(id, { messageID, partID }, caller),
    async unrevert(id) {
      const redone = await reverts.redo(id, caller)
      // Reports background tasks that ended while the work was undone.
      await delegation.tasks.turnEnded(id)
      return redone
    },
  }
}

function forkDeps(services: Services): ForkDeps & ForkFilesDeps {
  return {
    ...services,
    projectByID: services.projects.get,
    leadAgent: services.leadAgentOrUsual,
    usualVisibility: () => services.workspace.get().visibility,
  }
}

async function removeSession(
  services: Services,
  { delegation: { abort }, sessionEnds, worktreeEnds }: Pick<Running, "delegation" | "sessionEnds" | "worktreeEnds">,
  id: string,
  caller: Caller,
): Promise<void> {
  const { store, sessions, journal } = services
  const session = await sessions.get(id)
  // Its links end first, because extensions and running work may take a while to stop.
  if (id === session.rootID) await services.shares.revokeAll({ rootID: id }, caller)
  await sessionEnds(session)
  await abort(id, new StoppedByUser(caller))
  const removed = subtree(await store.session.tree(session.rootID), id)
  const ids = removed.map((member) => member.id)
  await services.attachments.removing(ids, () =>
    journal.commit(session.rootID, [{ kind: "session.remove", sessionID: id }]),
  )
  services.transcripts.delete(id)
  await services.savedOutputs.remove(ids)
  await worktreeEnds(session)
}

/** Call it before a person starts a task: the tree's time starts anew, and a stopped root gets the task's end too. */
async function wakeRoot(services: Services, tasks: Delegation["tasks"], rootID: string): Promise<void> {
  tasks.restartClock(rootID)
  const root = await services.sessions.get(rootID)
  const patch = { kind: "session.patch", sessionID: root.id, patch: { abortedAt: null } } as const
  if (root.abortedAt !== null) await services.journal.commit(root.id, [patch])
}

/** How often the schedules are looked at that other processes may have changed (ms). */
const scheduleLookMs = 1_000

function createRuntimeScheduler(deps: RuntimeDeps, services: Services, prompts: Prompts): Scheduler {
  const check: ScheduleTargetDeps["checkModel"] = (model, config) => checkModel(deps.providers, config, { model })
  const { shared } = deps
  return createScheduler({
    ...services,
    store: services.store.schedule,
    target: createScheduleTarget({ ...services, prompts, checkModel: check, places: shared?.hosts?.places }),
    lookMs: shared === undefined ? undefined : scheduleLookMs,
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    onError: deps.onError,
  })
}

function createRuntimeChanges(deps: RuntimeDeps, services: Services): Changes {
  return createChanges({
    ...services,
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    onError: deps.onError,
  })
}

function createRuntimeReverts(deps: RuntimeDeps, services: Services): Reverts {
  return createReverts({
    ...services,
    markers: createMarkerFiles(join(deps.dataDirectory, "undo-pending")),
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    forget: services.transcripts.delete,
    onError: deps.onError,
  })
}
