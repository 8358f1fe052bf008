import { noStepFiles, type TurnFiles } from "../loop/step-files.ts"
import { commandStep } from "./command-step.ts"
import { namedStep } from "./named-step.ts"
import { createStepRecord, type StepFilesDeps } from "./step-record.ts"

/** A step whose changes are being looked for. */
interface Ending {
  worktree: string
  sessionID: string
  ended: Promise<void>
}

export function createTurnFiles(deps: StepFilesDeps): TurnFiles {
  const endings = new Set<Ending>()
  const settled = async (match: (ending: Ending) => boolean): Promise<void> => {
    await Promise.all([...endings].filter(match).map(({ ended }) => ended))
  }
  return {
    stepFiles(turn, { messageID, anyFile }) {
      const { git, worktree } = turn.project
      if (!git || turn.apart) return noStepFiles
      const step = (anyFile ? commandStep : namedStep)(deps, turn, createStepRecord(deps, turn, messageID))
      return {
        async before(file, now) {
          await settled((ending) => ending.worktree === worktree)
          await step.before(file, now)
        },
        after: step.after,
        async end() {
          const ending = { worktree, sessionID: turn.session.id, ended: step.end() }
          endings.add(ending)
          const removed = ending.ended.finally(() => endings.delete(ending))
          if (anyFile) removed.catch(deps.onError)
          else await removed
        },
      }
    },
    filesSettled: (turn) => settled((ending) => ending.sessionID === turn.session.id),
  }
}
