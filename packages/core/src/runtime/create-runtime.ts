import { listGrants, revokeGrant } from "../acts/permission/listed-grants.ts"
import { createSandboxService } from "../acts/sandbox/sandbox-service.ts"
import { type ResumePrompt, restartTask, resumeTask } from "../engine/delegation/delegate.ts"
import { createTaskService } from "../engine/delegation/task-service.ts"
import { combineHooks } from "../engine/loop/hooks.ts"
import { DatabaseLost, ServiceStopping, StoppedByUser } from "../engine/loop/stop-reason.ts"
import { createPlanService } from "../engine/plan/plan-service.ts"
import { judgeAct } from "../engine/rulebook/judge-act.ts"
import { judgeHistory } from "../engine/rulebook/judge-history.ts"
import { expandDelegations } from "../engine/turn/expand-delegations.ts"
import { createPrompts } from "../engine/turn/prompts.ts"
import { createSessionQueues, type RunTurn } from "../engine/turn/session-queues.ts"
import { createTurnQueue } from "../engine/turn/turn-queue.ts"
import { createTurnSlots } from "../engine/turn/turn-slots.ts"
import { nodeTimers } from "../ground/concurrency/timers.ts"
import { type FeedQuery, readFeed } from "../ground/event/feed.ts"
import { keyedID } from "../ground/id/keyed-id.ts"
import type { Caller, Session, Task } from "../ground/schema/index.ts"
import { keepAudit, usualDays } from "../records/audit/audit-log.ts"
import { taskMark } from "../records/review/reviewed-state.ts"
import { createSearch } from "../records/search/create-search.ts"
import { subtree } from "../records/session/subtree.ts"
import type { TransferService } from "../records/transfer/transfer-service.ts"
import { explainAgents } from "../setup/agent/explain-agents.ts"
import { effectiveConfig } from "../setup/config/effective-config.ts"
import { providerVariables } from "../setup/config/references.ts"
import { readProjectFacts } from "../setup/project/project-facts.ts"
import { suggestPrompts } from "../setup/project/suggest-prompts.ts"
import { checkModel } from "../setup/provider/create-providers.ts"
import { allowLeft } from "./allow-left.ts"
import type { CallerServices } from "./caller-services.ts"
import { createDelegation, type Delegation } from "./create-delegation.ts"
import { createLoop } from "./create-loop.ts"
import { createRuntimeReviews } from "./create-reviews.ts"
import { createServices, type Services } from "./create-services.ts"
import { createRuntimeChanges, createRuntimeReverts, createRuntimeScheduler } from "./create-undo-and-schedules.ts"
import { findOrMake } from "./find-or-make.ts"
import { leaveWaiting } from "./leave-waiting.ts"
import { createMembershipGuard } from "./membership-guard.ts"
import { offboard, openTreesOf } from "./offboarding.ts"
import { bindOperations } from "./operations/bind-operations.ts"
import { coreOperations } from "./operations/core-operations.ts"
import { createPrivateTrees } from "./private-trees.ts"
import { createRequests } from "./requests.ts"
import type { Runtime } from "./runtime.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"
import { shareStore } from "./share-store.ts"
import { startRuntime } from "./start-runtime.ts"
import { transferDeps } from "./transfer-deps.ts"
import { createTreeVisibility } from "./tree-visibility.ts"
import { visibleFeed } from "./visible-feed.ts"

/**
 * Wires every part of the core, puts right what a crash left behind and goes on with interrupted turns.
 * Only the files of this folder know all services; front ends see only `Runtime`.
 */
export async function createRuntime(deps: RuntimeDeps): Promise<Runtime> {
  return (await createRuntimeWithServices(deps)).runtime
}

/** The same, and what its operations are done with: tests of the services reach these here. */
export async function createRuntimeWithServices(
  deps: RuntimeDeps,
): Promise<{ runtime: Runtime; servicesOf(caller: Caller): CallerServices }> {
  const services = createServices(deps)
  const { store, journal, sessions, broker } = services
  const sessionQueues = createSessionQueues(deps)
  const queue = createTurnQueue({ ...services, sessionQueues })
  const reverts = createRuntimeReverts(deps, services)
  const prompts = createPrompts({
    ...services,
    hooks: combineHooks([...(deps.plugs ?? []), { prompt: expandDelegations }]),
    queue,
    reverts,
    sessionByID: sessions.get,
    commandsOf: async ({ projectID }) => services.commandsOf(await services.projects.get(projectID)),
    checkModel: (config, wanted) => checkModel(deps.providers, config, wanted),
  })
  const changes = createRuntimeChanges(deps, services)
  const delegation = createDelegation(deps, services, { queue, sessionQueues, prompts, changes })
  const { tasks, abort } = delegation
  const scheduler = createRuntimeScheduler(deps, services, prompts)
  const loop = createLoop(deps, services, { queue, delegation, schedule: scheduler, prompts })
  const run: RunTurn = async (turn, signal, begin) => {
    const { finalWrites, follower, heartbeat } = services
    const rest = heartbeat.hold()
    try {
      const leave = await finalWrites.store({ rootID: turn.rootID }, () => follower.follow(turn.rootID))
      const { runSessionTurn } = await loadTurns()
      return await runSessionTurn(loop, turn, { signal, begin }).finally(leave)
    } finally {
      rest()
    }
  }
  const slots = createTurnSlots(() => services.workspace.get().turns)
  // Whoever works for a root session has a place with it: it may wait for them.
  sessionQueues.serve((turn, signal, begin) =>
    turn.sessionID === turn.rootID ? slots.run(signal, () => run(turn, signal, begin)) : run(turn, signal, begin),
  )

  deps.watchStore?.((reason) => {
    sessionQueues.interrupt(new DatabaseLost(reason))
    loop.background.interrupt()
  })
  await startRuntime(deps, services, { sessionQueues, reverts, tasks, scheduler })
  const endSharing = shareStore(deps, services, { sessionQueues, tasks })
  services.savedOutputs.start()
  services.searchIndex.start()
  const endAudit = services.workspace.isShared ? keepAuditOf(deps, services) : null
  services.webhooks.start().catch(deps.onError)

  const taskDeps = {
    ...services,
    tasks,
    reviewOf: (task: Task) => taskMark(services, task),
    sessionByID: sessions.get,
    projectOf: async (session: Session) => services.projects.get(session.projectID),
    async restart(task: Task, parent: Session, by: Caller) {
      await wakeRoot(services, tasks, parent.rootID)
      return restartTask(services, delegation.delegate, { task, parent, by })
    },
    async resume(task: Task, parent: Session, prompt: ResumePrompt) {
      await wakeRoot(services, tasks, parent.rootID)
      return resumeTask(services, delegation.delegate, { task, parent, ...prompt })
    },
  }
  const remove = async (id: string, caller: Caller): Promise<void> => {
    const session = await sessions.get(id)
    // First of all: what still runs may take a while to stop.
    if (id === session.rootID) await services.shares.revokeAll({ rootID: id }, caller)
    await abort(id, new StoppedByUser(caller))
    const removed = subtree(await store.session.tree(session.rootID), id)
    await journal.commit(session.rootID, [{ kind: "session.remove", sessionID: id }])
    services.transcripts.delete(id)
    await services.savedOutputs.remove(removed.map((member) => member.id))
  }
  const reviews = createRuntimeReviews(services, { changes, tasks, submit: delegation.submit, resume: taskDeps.resume })
  const servicesOf = (caller: Caller): CallerServices => ({
    ...readAndSettings(deps, services, caller),
    session: {
      ...sessions,
      create: (input) => sessions.create(input, caller),
      markRead: (id, at) => sessions.markRead(id, at, caller),
      async setPreset(id, preset) {
        const session = await sessions.setPreset(id, preset, caller)
        await broker.reconsider(session)
        return session
      },
      setVisibility: (id, visibility) => sessions.setVisibility(id, visibility, caller),
      output: async (partID, from) => services.savedOutputs.page(await sessions.part(partID), from),
      async start({ parts, ...input }, request) {
        const made = <T>(
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
        const session = await made("session", (id) => sessions.create({ ...input, id }, caller), store.session.get)
        const submit = (id?: string) => prompts.submit(session.id, { parts }, caller, id)
        try {
          const turn = await made("turn", submit, store.turn.get)
          return { session: request === undefined ? session : await sessions.get(session.id), turn }
        } catch (error) {
          const isThere = request !== undefined && (await store.turn.get(keyedID("turn", request))) !== null
          if (!isThere) await remove(session.id, caller)
          throw error
        }
      },
      remove: (id) => remove(id, caller),
      revert: (id, messageID) => reverts.undo(id, messageID, caller),
      async unrevert(id) {
        const redone = await reverts.redo(id, caller)
        // Of background tasks that ended while it was undone.
        await tasks.turnEnded(id)
        return redone
      },
    },
    prompt: {
      ...prompts,
      submit: (sessionID, input, id) => prompts.submit(sessionID, input, caller, id),
      withdraw: (turnID) => prompts.withdraw(turnID, caller),
    },
    abort: (sessionID) => abort(sessionID, new StoppedByUser(caller)),
    task: createTaskService(taskDeps, caller),
    changes,
    review: reviews(caller),
    search: createSearch({ ...services, index: services.searchIndex, sessionByID: sessions.get }, caller),
    transfer: transfersOf(deps, services, caller),
    permission: {
      pending: (rootID) => store.permission.pending(rootID),
      reply: (id, reply, options) => broker.reply(id, { ...options, reply, by: caller }),
      grants: () => listGrants(store),
      revoke: (grantID) => revokeGrant(store, grantID),
      allowLeft: (sessionID, id) =>
        allowLeft({ ...deps, standing: store.standingGrant, sessionByID: sessions.get }, caller, { sessionID, id }),
      answer: (id, answers) => broker.reply(id, { reply: "answer", answers, by: caller }),
    },
    presence: services.presence.as(caller),
    feed: (query, signal) => followedFeed(services, query, { caller, signal }),
    schedule: scheduler.as(caller),
    webhook: services.webhooks.as(caller),
  })
  const requests = createRequests(deps.clock)
  const trees = services.workspace.isShared ? await createPrivateTrees({ ...services, store: store.session }) : null
  const membershipGuard = deps.isMember === undefined ? null : createMembershipGuard(deps.isMember)
  const as: Runtime["as"] = (caller, key) => {
    const own = servicesOf(caller)
    const visibility = trees === null ? null : createTreeVisibility({ store, trees }, caller.person)
    const sent = key === undefined ? null : requests(caller, key)
    const whileMember =
      membershipGuard && ((act: () => Promise<unknown>) => membershipGuard.whileMember(caller.person, act))
    return {
      feed: visibility === null ? own.feed : (query, signal) => visibleFeed(own, visibility, query, signal),
      links: own.share,
      ...bindOperations(coreOperations, {
        caller,
        services: own,
        visibility,
        whileMember,
        requests: sent,
        rows: store,
      }),
    }
  }
  const away = { ...services, store, prompts, scheduler, queue, tasks }
  const runtime: Runtime = {
    offboarding: {
      async offboard(person, others = []) {
        await membershipGuard?.settled(person)
        return offboard(away, { person, others }, services.workspace.get().whenRemoved)
      },
      hidden: async () =>
        new Map(
          [...Map.groupBy(await store.session.private(), ({ person }) => person)].map(([person, trees]) => [
            person,
            trees.length,
          ]),
        ),
      open: (owner) => openTreesOf(away, owner),
    },
    as,
    async close() {
      trees?.close()
      await endAudit?.()
      services.finalWrites.close()
      await scheduler.stop()
      await endSharing()
      await leaveWaiting(deps, services, tasks)
      await sessionQueues.close(new ServiceStopping())
      await loop.background.done()
      await services.snapshots.settled()
      delegation.budgets.close()
      await services.savedOutputs.stop()
      await services.searchIndex.close()
      await journal.flush()
      await services.webhooks.close()
      services.listRows.close()
      services.taskRows.close()
    },
  }
  return { runtime, servicesOf }
}

/** Alone, nobody asks who did it: nothing is written then, and nothing grows old. */
function keepAuditOf({ clock, onError }: RuntimeDeps, { store, configs }: Services): () => Promise<void> {
  const days = async () => (await configs.of(null)).config.audit?.days ?? usualDays
  return keepAudit({ store: store.audit, days, clock, timers: nodeTimers, onError })
}

/** Before a person starts a task: the tree's clock starts anew, and a root that was stopped is told of the end all the same. */
async function wakeRoot(services: Services, tasks: Delegation["tasks"], rootID: string): Promise<void> {
  tasks.restartClock(rootID)
  const root = await services.sessions.get(rootID)
  const patch = { kind: "session.patch", sessionID: root.id, patch: { abortedAt: null } } as const
  if (root.abortedAt !== null) await services.journal.commit(root.id, [patch])
}

/** Events of a tree, also of what other runtimes store in it. */
async function* followedFeed(
  { store, bus, follower, ...services }: Services,
  query: FeedQuery,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
) {
  const { rootID, viewer } = query
  const ends = query.others ? [services.listRows, services.taskRows].map((rows) => rows.follow()) : []
  try {
    if (rootID !== undefined) ends.push(await follower.follow(rootID))
    if (rootID !== undefined && viewer !== undefined) ends.push(await services.presence.enter(rootID, viewer, caller))
    yield* readFeed({ store: store.feed, bus }, query, signal)
  } finally {
    for (const end of ends) end()
  }
}

/** What runs turns, loaded by the first one; beforehand by whoever would not have it wait. */
export async function loadTurns(): Promise<typeof import("../engine/turn/run-session-turn.ts")> {
  return await import("../engine/turn/run-session-turn.ts")
}

/** Few ever write a tree to a file or bring one: what does is loaded by the first who does. */
function transfersOf(deps: RuntimeDeps, services: Services, caller: Caller): TransferService {
  const load = async () => {
    const { createTransfers } = await import("../records/transfer/create-transfers.ts")
    return createTransfers(transferDeps(deps, services), caller)
  }
  return {
    export: async (sessionID, options) => (await load()).export(sessionID, options),
    import: async (bytes, options) => (await load()).import(bytes, options),
  }
}

/** The use cases that touch no running turn. */
function readAndSettings(deps: RuntimeDeps, services: Services, caller: Caller) {
  const { store, bus, projects, configs, todos, sessions, shares } = services
  const { providers } = deps
  const configReport = async (projectID: string | undefined) =>
    services.reportOf(projectID === undefined ? null : await projects.get(projectID))
  const rootOf = async (sessionID: string | undefined) =>
    sessionID === undefined ? undefined : (await sessions.get(sessionID)).rootID
  return {
    project: {
      open: projects.open,
      list: projects.list,
      get: projects.get,
      directories: projects.directories,
      suggestions: async (id) =>
        suggestPrompts(await readProjectFacts({ files: services.files, env: deps.env }, await projects.get(id))),
      files: async (id, query, limit) => services.files.search((await projects.get(id)).directory, query, limit),
    },
    todo: todos.as(caller),
    memory: services.memory.as(caller),
    plan: createPlanService(
      { store, todos, planRoot: services.planRoot, sessionByID: sessions.get, projectByID: projects.get },
      caller,
    ),
    agent: {
      ...services.agentFiles.as(caller),
      list: async (projectID) => services.agentsOf(await projects.get(projectID)),
      async explain(projectID) {
        const project = await projects.get(projectID)
        const { sources } = await configs.of(project)
        return explainAgents(await services.agentsOf(project), { sources, home: deps.home })
      },
      async judge(projectID, act) {
        const { project, agents, ceilingsOf, skills } = await services.setupOf({ projectID })
        const { sources } = await configs.of(project)
        const { outputRoot: outputDirectory, ownDirectories } = services
        const skillDirectories = skills.map(({ place }) => place)
        const directoryLimits = services.workspace.limits()
        const place = {
          env: deps.env,
          home: deps.home,
          outputDirectory,
          ownDirectories,
          skillDirectories,
          directoryLimits,
        }
        return judgeAct({ project, agents, ceilingsOf, sources, ...place }, act)
      },
      async judgeHistory(projectID, query) {
        const { project, agents, ceilingsOf } = await services.setupOf({ projectID })
        return judgeHistory(services.store, { project, agents, ceilingsOf, home: deps.home }, query)
      },
    },
    command: {
      async list(projectID) {
        const commands = await services.commandsOf(await projects.get(projectID))
        return commands.map(({ template: _template, ...command }) => command)
      },
    },
    provider: {
      list: async (projectID) => providers.list((await configReport(projectID)).config),
      defaultModel: async (projectID) => services.defaultModelOf((await configReport(projectID)).config, projectID),
      saveKey: async (id, key, projectID) => providers.saveKey(id, key, (await configReport(projectID)).config),
      removeKey: async (id, projectID) => providers.removeKey(id, (await configReport(projectID)).config),
      refresh: providers.refresh,
      packages: providers.packages.list,
      lookUpPackage: providers.packages.lookUp,
      installPackage: providers.packages.install,
      removePackage: providers.packages.remove,
    },
    config: {
      async get(projectID) {
        const {
          ceilings: _ceilings,
          digests: _digests,
          sources: _sources,
          brought: _brought,
          denials: _denials,
          others: _others,
          ...report
        } = await configReport(projectID)
        return { ...report, problems: [...report.problems, ...(deps.otherProblems?.() ?? [])] }
      },
      texts: async (projectID) => services.textsOf(await projects.get(projectID)),
      effective: async (projectID) => effectiveConfig(await configReport(projectID)),
      ...services.projectTrusts,
      trust: (input) => services.projectTrusts.trust(input, caller),
    },
    workspace: {
      get: async () => services.workspace.get(),
      async update(patch) {
        const workspace = await services.workspace.update(patch, caller)
        bus.publish({ type: "workspace.updated", properties: { workspace }, rootID: null, seq: null })
        return workspace
      },
    },
    sandbox: createSandboxService({
      ...deps,
      scope: () => services.workspace.get().id,
      isShared: services.workspace.isShared,
      async ownConfig() {
        const { config, sources } = await configs.of(null)
        return { sandbox: config.sandbox ?? {}, providerVariables: providerVariables(sources) }
      },
    }),
    share: {
      ...shares,
      preview: async (rootID, of) => shares.preview(await sessions.get(rootID), of),
      create: async (rootID, choice) => shares.create(await sessions.get(rootID), choice, caller),
      update: (id, patch) => shares.update(id, patch, caller),
      relink: (id) => shares.relink(id, caller),
      revoke: (id) => shares.revoke(id, caller),
      revokeAll: async (rootID, madeBy) => shares.revokeAll({ rootID: await rootOf(rootID), madeBy }, caller),
      list: async (rootID) => shares.list(await rootOf(rootID)),
    },
  } satisfies Partial<CallerServices>
}
