import { relative, sep } from "node:path"
import type { FileContent } from "../../acts/tool/tool.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { StepFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { FileWindow } from "../snapshot/file-windows.ts"
import { type FileState, sameState } from "../snapshot/tree-changes.ts"
import type { StepFilesDeps, StepRecord } from "./step-record.ts"

/** A step whose tools name the files that they change: these alone are kept, before each changes and at the end. */
export function namedStep(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): StepFiles {
  const { project } = turn
  const before = new Map<string, FileState | null>()
  const written = new Map<string, FileContent>()
  let snapshot: string | null = null
  let isLost = false
  let window: FileWindow | null = null
  let last = Promise.resolve()

  const pathOf = (file: string) =>
    isWithin(project.worktree, file) ? relative(project.worktree, file).split(sep).join("/") : null
  const keep = async (path: string | null, now?: FileContent): Promise<void> => {
    if (path !== null && before.has(path)) return
    const kept = path === null ? [] : await deps.snapshots.kept(project, [path])
    if (kept.length === 0 && snapshot !== null) return
    const known = new Map(path !== null && now !== undefined ? [[path, now]] : [])
    for (const [name, state] of await deps.snapshots.keep(project, kept, known)) before.set(name, state)
    snapshot = await deps.snapshots.ofFiles(project, before)
    await record.begun(snapshot, [...before.keys()])
  }
  const lose = (error: unknown) => {
    isLost = true
    record.lost(error)
  }
  return {
    async before(file, now) {
      if (file === undefined) throw new Error("A tool that may change any file says so by `anyFile`.")
      window ??= deps.windows.open(project.worktree)
      window.claim(file)
      const path = pathOf(file)
      last = last.then(async () => {
        if (!isLost) await keep(path, now).catch(lose)
      })
      await last
    },
    after(file, content) {
      const path = pathOf(file)
      if (path !== null) written.set(path, content)
    },
    async end() {
      if (window === null) return
      const id = record.patchID()
      try {
        if (snapshot === null || isLost) return
        const after = await deps.snapshots.keep(project, [...before.keys()], written)
        const files = [...before].flatMap(([path, state]) => (sameState(state, after.get(path) ?? null) ? [] : [path]))
        record.ended({ id, before: snapshot, after: await deps.snapshots.ofFiles(project, after), files })
      } catch (error) {
        lose(error)
      } finally {
        window.close()
      }
    },
  }
}
