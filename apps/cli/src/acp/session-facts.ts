import { isDeepStrictEqual } from "node:util"
import type { SessionUpdate, UsageUpdate } from "@agentclientprotocol/sdk/unstable"
import type { Session, TreeState } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { StepFinishPart } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { treeUsage } from "@docket/core/usage"
import { type Choices, configOptions, modelInfo, modelOf } from "./config-options.ts"
import { contextUsage } from "./context-usage.ts"

/** What an editor knows of a session besides its transcript: its title, its settings, and what it has used. */
export interface SessionFacts {
  /** What is new of the title and the settings. */
  settings(session: Session): SessionUpdate[]
  /** What is new of the usage. */
  usage(tree: TreeState): SessionUpdate[]
  /** Notes how full the context is after a step. */
  step(part: StepFinishPart): void
}

/** The editor knows the settings of `opened` already. */
export function createSessionFacts(opened: Session, choices: Choices): SessionFacts {
  let known = opened
  let lastStep: StepFinishPart | null = null
  let toldUsage: UsageUpdate | null = null

  return {
    settings(session) {
      const last = known
      known = session
      const title = visibleText(shortTitle(session))
      const options = configOptions(choices, session)
      const updates: SessionUpdate[] = []
      if (title !== visibleText(shortTitle(last))) {
        const updatedAt = new Date(session.time.updated).toISOString()
        updates.push({ sessionUpdate: "session_info_update", title, updatedAt })
      }
      if (session.agent !== last.agent) {
        updates.push({ sessionUpdate: "current_mode_update", currentModeId: session.agent })
      }
      if (!isDeepStrictEqual(options, configOptions(choices, last))) {
        updates.push({ sessionUpdate: "config_option_update", configOptions: options })
      }
      return updates
    },
    usage({ sessions }) {
      const session = sessions[opened.id]
      if (lastStep === null || session === undefined) return []
      const size = modelInfo(choices, modelOf(choices, session))?.limit.context ?? 0
      const used = contextUsage(lastStep, size, treeUsage(Object.values(sessions)).subtree(opened.id).cost)
      if (used === null || isDeepStrictEqual(used, toldUsage)) return []
      toldUsage = used
      return [{ sessionUpdate: "usage_update", ...used }]
    },
    step(part) {
      lastStep = part
    },
  }
}
