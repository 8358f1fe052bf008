import { DocketError } from "../../ground/error/docket-error.ts"
import { findOrMake } from "../../ground/id/find-or-make.ts"
import type { Agent, ModelRef } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { Sessions } from "../../records/session/sessions.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Prompts } from "../turn/prompts.ts"
import { answerHead } from "./answer-head.ts"
import type { ScheduleTarget } from "./schedule-runs.ts"

/** Most messages of a turn that are searched for its answer. */
const maxMessages = 2_000

export interface ScheduleTargetDeps {
  store: Pick<Store, "transcript" | "session" | "turn" | "project">
  sessions: Pick<Sessions, "get" | "create">
  prompts: Pick<Prompts, "submit" | "wait">
  /** @throws project_not_found */
  setupOf(session: { projectID: string }): Promise<{ config: Config; agents: Agent[] }>
  /** @throws model_not_found, provider_not_found */
  checkModel(ref: ModelRef, config: Config): Promise<void>
  /** The places whose files this process has; without them, it has all files. */
  places?: readonly string[] | undefined
}

/** Lets schedules prompt sessions as a user would. */
export function createScheduleTarget(deps: ScheduleTargetDeps): ScheduleTarget {
  return {
    async check({ projectID, sessionID, agent, model }) {
      const { config, agents } = await deps.setupOf({ projectID })
      if (sessionID !== null) await checkSession(deps, sessionID, projectID)
      if (agent !== null) findAgent(agents, agent)
      if (model !== null) await deps.checkModel(model, config)
    },
    async isHere(projectID) {
      if (deps.places === undefined) return true
      return deps.places.includes((await deps.store.project.get(projectID))?.place ?? "")
    },
    session: (id, { projectID, title, agent, model, by }) =>
      findOrMake(
        () => deps.store.session.get(id),
        () => deps.sessions.create({ id, projectID, title, agent: agent ?? undefined, model: model ?? undefined }, by),
      ),
    prompt: (id, { sessionID, input, by }) =>
      findOrMake(
        () => deps.store.turn.get(id),
        () => deps.prompts.submit(sessionID, input, by, id),
      ),
    wait: deps.prompts.wait,
    async answer({ sessionID, messageID, time }) {
      if (messageID === null) return ""
      const { items } = await deps.store.transcript.page({ sessionID, after: messageID, limit: maxMessages })
      return answerHead(items, time.ended)
    },
  }
}

async function checkSession({ sessions }: ScheduleTargetDeps, sessionID: string, projectID: string): Promise<void> {
  const session = await sessions.get(sessionID)
  if (session.projectID !== projectID) {
    throw new DocketError("invalid_input", `Session ${sessionID} belongs to another project.`)
  }
  if (session.parentID === null) return
  throw new DocketError("invalid_input", `Session ${sessionID} is a child; schedule its root ${session.rootID}.`)
}
