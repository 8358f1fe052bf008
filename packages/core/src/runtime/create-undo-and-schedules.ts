import { join } from "node:path"
import { type Changes, createChanges } from "../engine/changes/create-changes.ts"
import { createReverts, type Reverts } from "../engine/revert/create-reverts.ts"
import { createScheduleTarget, type ScheduleTargetDeps } from "../engine/schedule/schedule-target.ts"
import { createScheduler, type Scheduler } from "../engine/schedule/scheduler.ts"
import type { Prompts } from "../engine/turn/prompts.ts"
import { createMarkerFiles } from "../records/session/marker-files.ts"
import { checkModel } from "../setup/provider/create-providers.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

export function createRuntimeScheduler(deps: RuntimeDeps, services: Services, prompts: Prompts): Scheduler {
  const check: ScheduleTargetDeps["checkModel"] = (model, config) => checkModel(deps.providers, config, { model })
  return createScheduler({
    ...services,
    store: services.store.schedule,
    target: createScheduleTarget({ ...services, prompts, checkModel: check }),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    onError: deps.onError,
  })
}

export function createRuntimeChanges(deps: RuntimeDeps, services: Services): Changes {
  return createChanges({
    ...services,
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    onError: deps.onError,
  })
}

export function createRuntimeReverts(deps: RuntimeDeps, services: Services): Reverts {
  return createReverts({
    ...services,
    markers: createMarkerFiles(join(deps.dataDirectory, "undo-pending")),
    sessionByID: services.sessions.get,
    projectByID: services.projects.get,
    forget: services.transcripts.delete,
    onError: deps.onError,
  })
}
