import { DatabaseLost, ServiceStopping } from "../engine/loop/stop-reason.ts"
import { previewTools } from "../engine/policy-preview/preview-tools.ts"
import type { RunTurn } from "../engine/turn/session-queues.ts"
import { createTurnSlots } from "../engine/turn/turn-slots.ts"
import { createDuty, type Duties, type DutyWork } from "../ground/concurrency/duty.ts"
import { createRepeated } from "../ground/concurrency/repeated.ts"
import { nodeTimers } from "../ground/concurrency/timers.ts"
import type { Caller } from "../ground/schema/index.ts"
import { defaultAuditDays, keepAudit } from "../records/audit/audit-log.ts"
import type { CallerServices } from "./caller-services.ts"
import { createLoop } from "./create-loop.ts"
import { createServices, type Services } from "./create-services.ts"
import { answerCall, operationNamed, otherHosts } from "./host-calls.ts"
import { keepContents } from "./keep-contents.ts"
import { leaveWaiting } from "./leave-waiting.ts"
import { createMembershipGuard, type MembershipGuard } from "./membership-guard.ts"
import { offboard, openTreesOf } from "./offboarding.ts"
import { bindOperations } from "./operations/bind-operations.ts"
import { coreOperations } from "./operations/core-operations.ts"
import { createPrivateTrees } from "./private-trees.ts"
import { createRequests, forgetRequests } from "./requests.ts"
import type { Offboarding, Runtime } from "./runtime.ts"
import type { RuntimeDeps, SharedStore } from "./runtime-deps.ts"
import { extensionServicesOf } from "./services/extensions-of-caller.ts"
import { recordsServicesOf } from "./services/records-of-caller.ts"
import { createRunning, createRunningServices, type Running } from "./services/running-services.ts"
import { actsServicesOf, setupServicesOf } from "./services/settings-of-caller.ts"
import { startRuntime } from "./start-runtime.ts"
import { createTreeVisibility } from "./tree-visibility.ts"
import { visibleFeed } from "./visible-feed.ts"
import { workBesideOthers } from "./work-beside-others.ts"

/**
 * Wires every part of the core, puts right what a crash left behind and goes on with interrupted turns.
 * Only the files of this folder know all services; front ends see only `Runtime`.
 */
export async function createRuntime(deps: RuntimeDeps): Promise<Runtime> {
  return (await createRuntimeWithServices(deps)).runtime
}

/** The same, with the services behind the operations, for tests of these services. */
export async function createRuntimeWithServices(
  deps: RuntimeDeps,
): Promise<{ runtime: Runtime; servicesOf(caller: Caller): CallerServices }> {
  const services = createServices(deps)
  const { store } = services
  const { shared } = deps
  const running = createRunning(deps, services)
  const { sessionQueues, treeWork, delegation, scheduler } = running
  const { tasks } = delegation
  const loop = createLoop(deps, services, { ...running, schedule: scheduler })
  const run: RunTurn = async (turn, signal, begin) => {
    const { finalWrites, follower, heartbeat } = services
    const releaseHeartbeat = heartbeat.hold()
    try {
      const leave = await finalWrites.store({ rootID: turn.rootID }, () => follower.follow(turn.rootID))
      const [{ runSessionTurn }] = await Promise.all([loadTurns(), services.trace.opened])
      return await runSessionTurn(loop, turn, { signal, begin }).finally(leave)
    } finally {
      releaseHeartbeat()
    }
  }
  const slots = createTurnSlots(() => services.workspace.get().turns)
  // Only turns of root sessions take a slot: a root may wait for its subagents, so these must not wait for a slot.
  sessionQueues.serve((turn, signal, begin) =>
    turn.sessionID === turn.rootID ? slots.run(signal, () => run(turn, signal, begin)) : run(turn, signal, begin),
  )

  deps.watchStore?.((reason) => {
    sessionQueues.interrupt(new DatabaseLost(reason))
    loop.background.interrupt()
  })
  const endKeeping = keepContents(services, deps.onError)
  await startRuntime(deps, services, { ...running, tasks })
  const endSharing = workBesideOthers(deps, services, { sessionQueues, treeWork, tasks })
  services.savedOutputs.start()
  services.contents?.start()
  services.attachments.start()
  services.searchIndex.start()
  const endDuties = joinDuties(deps, services, running)
  const resuming = createRepeated({ ...deps, ms: resumeMs, timers: nodeTimers }, services.repositories.resume)
  resuming.start()

  const runningServicesOf = createRunningServices(services, running)
  const servicesOf = (caller: Caller): CallerServices => ({
    ...setupServicesOf(deps, services, caller),
    ...actsServicesOf(deps, services, caller),
    ...recordsServicesOf(deps, services, caller),
    ...extensionServicesOf(deps, services, caller),
    ...runningServicesOf(caller),
    tool: {
      async list(projectID, asked) {
        const problemsOf = services.toolFileProblems
        return previewTools({ ...loop.run, problemsOf }, await services.setupOf({ projectID }), asked)
      },
    },
  })
  const requests = createRequests({
    ...deps,
    nodes: isNode(deps) ? { ...deps.shared, vault: services.vault } : undefined,
  })
  const trees = services.workspace.isShared
    ? await createPrivateTrees({ ...services, store: store.session, now: () => performance.now() })
    : null
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
        hosts: shared?.hosts
          ? otherHosts(store, shared.hosts, {
              ...{ caller, key, hasContents: services.contents !== null },
              requestsOf: (used) => requests(caller, used),
            })
          : null,
        rows: store,
      }),
    }
  }
  const runtime: Runtime = {
    offboarding: offboardingOf(services, running, membershipGuard),
    as,
    workOn: treeWork.workOn,
    answer: (request) =>
      answerCall(
        request,
        ({ name, input, caller, key, asker }) => operationNamed(as(caller, key), name)(input, asker),
        deps.onError,
      ),
    async close() {
      trees?.close()
      services.finalWrites.close()
      await endDuties()
      await scheduler.stop()
      await endSharing()
      await leaveWaiting(deps, services, tasks)
      await sessionQueues.close(new ServiceStopping())
      await loop.background.done()
      endKeeping()
      await services.snapshots.settled()
      await services.contents?.stop()
      delegation.budgets.close()
      await services.savedOutputs.stop()
      await services.attachments.stop()
      await services.searchIndex.close()
      for (const host of deps.extensions ?? []) await host.close()
      services.commands.close()
      await services.executors.close()
      await services.ledger.close()
      await services.repositories.close()
      await resuming.stop()
      await services.mirrors.close()
      await services.journal.flush()
      await services.webhooks.close()
      services.listRows.close()
      services.taskRows.close()
    },
  }
  return { runtime, servicesOf }
}

/** Does what one process at a time does for all: a node while it has the duties, any other process all the time. */
function joinDuties(deps: RuntimeDeps, services: Services, { scheduler }: Running): () => Promise<void> {
  const ofRows = [services.webhooks.sending, auditKeeping(deps, services)]
  if (isNode(deps)) ofRows.push(requestKeeping(deps, services))
  const duties = isNode(deps) ? deps.shared.duties : ownDuties(deps.onError)
  if (duties === undefined) return async () => {}
  // The start of a process that is alone waits for its schedules.
  const ofFiles = isNode(deps)
    ? [services.webhooks.telling, { begin: scheduler.start, end: scheduler.stop }]
    : [services.webhooks.telling]
  const ends = [...ofFiles.map((work) => duties.files.join(work)), ...ofRows.map((work) => duties.rows.join(work))]
  return async () => void (await Promise.all(ends.map((end) => end())))
}

/** Whether it is one of several nodes. */
function isNode(
  deps: RuntimeDeps,
): deps is RuntimeDeps & { shared: SharedStore & { isAlive: NonNullable<SharedStore["isAlive"]> } } {
  return deps.shared?.isAlive !== undefined
}

/** How often mirrors are looked through that nobody uses (ms). */
const resumeMs = 24 * 3_600_000

/** How often answers to requests are removed that are kept long enough (ms). */
const forgetMs = 60_000

function requestKeeping({ clock, onError }: RuntimeDeps, { vault }: Services): DutyWork {
  const forgetting = createRepeated({ ms: forgetMs, timers: nodeTimers, onError }, () => forgetRequests(vault, clock()))
  return { begin: async () => forgetting.start(), end: forgetting.stop }
}

/** Those of a process that has them for good. */
function ownDuties(onError: (error: unknown) => void): Duties {
  const duty = createDuty(onError)
  void duty.hold(new AbortController().signal)
  return { files: duty, rows: duty }
}

function offboardingOf(
  services: Services,
  { prompts, scheduler, queue, delegation }: Running,
  guard: MembershipGuard | null,
): Offboarding {
  const { store } = services
  const deps = { ...services, prompts, scheduler, queue, tasks: delegation.tasks }
  return {
    async offboard(person, others = []) {
      await guard?.settled(person)
      return offboard(deps, { person, others }, services.workspace.get().whenRemoved)
    },
    hidden: async () =>
      new Map(
        [...Map.groupBy(await store.session.private(), ({ person }) => person)].map(([person, trees]) => [
          person,
          trees.length,
        ]),
      ),
    open: (owner) => openTreesOf(deps, owner),
  }
}

/** Removes old entries of the audit log. */
function auditKeeping({ clock, onError }: RuntimeDeps, { store, configs }: Services): DutyWork {
  const days = async () => (await configs.of(null)).config.audit?.days ?? defaultAuditDays
  return keepAudit({ store: store.audit, days, clock, timers: nodeTimers, onError })
}

/** Loads the code that runs turns. The first turn does it, unless a caller did it earlier so that no turn waits. */
export async function loadTurns(): Promise<typeof import("../engine/turn/run-session-turn.ts")> {
  return await import("../engine/turn/run-session-turn.ts")
}
