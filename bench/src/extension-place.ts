import path from "node:path"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { ProgramStage } from "./program-stage.ts"

/** A project in which extensions work. What they do not read is left out. */
export function extensionPlace({ place: { projectID }, worktree, start }: ProgramStage): ExtensionPlace {
  const time = { created: 0, updated: 0, archived: null }
  const project = { id: projectID, name: "bench", directory: worktree, worktree, git: false, time }
  const place = {
    ...{ project, config: {}, sources: [], provided: [], isTrusted: true, isShared: false, home: worktree, env: {} },
    checkout: worktree,
    ledger: { note() {}, isOn: async () => true },
    dataDirectory: path.join(worktree, ".data"),
    unconfined: async () => null,
    start,
  }
  return place as unknown as ExtensionPlace
}
