import path from "node:path"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { Session } from "@docket/core/schema"
import { nodeTimers } from "@docket/core/timers"
import { runEvent } from "@docket/hooks/run-event"
import { extensionPlace } from "./extension-place.ts"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"
import { openProgramStage, type ProgramStage } from "./program-stage.ts"

const rounds = 15

/** What one hook costs a call: nearly all of it is the start of its shell, in the sandbox also that of the sandbox. */
export const hookMeasurements: Measurement[] = [
  { ...row("hook", "call that passes one hook of the user's own"), aim: 30, measure: () => timed({ isOwn: true }) },
  {
    ...row("hook-sandboxed", "call that passes one hook of a project"),
    aim: 60,
    measure: () => timed({ isOwn: false }),
  },
]

function row(name: string, label: string): Pick<Measurement, "name" | "label" | "unit" | "opencode" | "inProcess"> {
  return { name, label, unit: "ms", opencode: "–", inProcess: true }
}

/** The median time in ms of telling one hook of a call, which reads its input and says nothing. */
async function timed({ isOwn }: { isOwn: boolean }): Promise<number> {
  await using stage = await openProgramStage({})
  const hooks = { PreToolUse: [{ hooks: [{ type: "command" as const, command: "cat > /dev/null" }] }] }
  const set = { name: "docket.json", file: path.join(stage.worktree, "docket.json"), line: 1, isOwn, hooks }
  const { place, session } = sceneIn(stage)
  const scene = {
    ...{ place, session, transcript: null, agent: "build", signal: new AbortController().signal },
    sets: [{ ...set, needsConsent: false, isHeld: false, scripts: null }],
  }
  const failures: string[] = []
  const deps = {
    ...{ timers: nodeTimers, now: () => performance.now(), closing: new AbortController().signal },
    ...{ isFirst: () => true, onLate: () => {}, keep: () => {}, takeRoom: () => () => {} },
    log(_set: object, _scene: object, line: string) {
      if (!line.endsWith("exit code 0")) failures.push(line)
    },
  }
  const fields = { tool_name: "Write", tool_input: { file_path: "/a.ts", content: "x".repeat(2_000) } }
  const happening = { event: "PreToolUse" as const, names: ["Write"], call: null, fields }
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await runEvent(deps, scene, happening)
    times.push(performance.now() - start)
  }
  if (failures.length > 0) throw new Error(`a hook failed: ${failures[0]}`)
  return median(times)
}

function sceneIn(stage: ProgramStage): { place: ExtensionPlace; session: Session } {
  const session = { id: "ses_bench", rootID: "ses_bench", parentID: null, directory: stage.worktree }
  // What hooks do not read is left out.
  return { place: extensionPlace(stage), session: session as unknown as Session }
}
