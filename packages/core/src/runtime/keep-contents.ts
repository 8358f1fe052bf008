import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { outputFileName } from "../acts/tool/truncate-output.ts"
import { planPath } from "../engine/plan/plan-file.ts"
import type { KeptFile } from "../ground/blob/shared-contents.ts"
import type { DocketEvent, Part } from "../ground/schema/index.ts"
import { changesFiles } from "../ground/schema/read-tool-call.ts"
import { workingProject } from "../setup/project/working-project.ts"
import type { Services } from "./create-services.ts"

/** How many names of what was kept are remembered. */
const mostKnown = 10_000

/**
 * Keeps for other nodes what rows of this host name and files of this host hold, once the rows are stored: long outputs and
 * answers, plans, snapshots. What another host has made is not here, and is left alone. Returns a function that ends it.
 */
export function keepContents(services: Services, onError: (error: unknown) => void): () => void {
  const { contents, bus } = services
  if (contents === null) return () => {}
  const known = new Set<string>()
  /** False for what was kept before: rows are stored more than once. */
  const isNew = (name: string) => {
    if (known.has(name)) return false
    if (known.size === mostKnown) known.clear()
    known.add(name)
    return true
  }
  const keep = async (sessionID: string, file: KeptFile) => {
    if (!(await isThere(file.file))) return
    const { id, rootID } = await services.sessions.get(sessionID)
    contents.keep({ id, rootID }, file)
  }
  const keepSnapshot = async (sessionID: string, snapshot: string) => {
    const session = await services.sessions.get(sessionID)
    const project = workingProject(session, await services.projects.get(session.projectID))
    services.snapshots.share(project, session.rootID, snapshot)
  }
  const keepPlan = async (sessionID: string) => {
    const session = await services.sessions.get(sessionID)
    if (session.plan === undefined) return
    const { worktree } = workingProject(session, await services.projects.get(session.projectID))
    await keep(sessionID, { kind: "plan", name: basename(session.plan), file: planPath(worktree, session.plan) })
  }
  const ofPart = async (part: Part) => {
    const { sessionID } = part
    if (part.type === "step-start" || part.type === "step-finish") {
      const { snapshot } = part
      if (snapshot !== undefined && isNew(`${sessionID} ${snapshot}`)) await keepSnapshot(sessionID, snapshot)
    }
    if (part.type !== "tool" || part.state.status !== "completed") return
    const name = outputFileName(part.id)
    if (part.state.metadata.outputPath && isNew(name)) {
      await keep(sessionID, { kind: "output", name, file: services.savedOutputs.pathOf(part), isFixed: false })
    }
    if ((changesFiles(part.tool) || part.tool === "plan_exit") && isNew(`plan ${part.id}`)) await keepPlan(sessionID)
  }
  const hear = async (event: DocketEvent) => {
    if (event.type === "message.part.updated") await ofPart(event.properties.part)
    if (event.type !== "task.updated") return
    const { sessionID, resultPath } = event.properties.task
    if (resultPath && isNew(resultPath)) {
      await keep(sessionID, { kind: "answer", name: basename(resultPath), file: resultPath })
    }
  }
  return bus.subscribe((event) => void hear(event).catch(onError))
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  )
}
