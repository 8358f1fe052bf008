import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import path from "node:path"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { ProgramPlace } from "@docket/core/program-place"
import { createRunningCommands } from "@docket/core/running-commands"
import { createSandbox } from "@docket/core/sandbox"
import { startProgram } from "@docket/core/start-program"

export interface ProgramStage extends AsyncDisposable {
  /** Starts a program of an extension there. */
  start: ExtensionPlace["start"]
  /** A trusted project whose programs run in the sandbox, where there is one. */
  place: ProgramPlace
  worktree: string
}

interface ProgramStageOptions {
  /** Directories of programs, before those of the search path. */
  programs?: readonly string[]
  /** Directories that programs can read besides their own; real paths. */
  readable?: readonly string[]
}

/** An empty project. */
export async function openProgramStage({
  programs = [],
  readable: shown = [],
}: ProgramStageOptions): Promise<ProgramStage> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-bench-programs-")))
  const worktree = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-bench-project-")))
  const search = [...programs, process.env.PATH ?? ""].join(path.delimiter)
  const env = { ...process.env, PATH: search }
  const sandbox = createSandbox({
    ...{ home: homedir(), env, platform: process.platform, clock: Date.now },
    ...{ dataDirectory: path.join(root, "data"), configDirectory: path.join(root, "config") },
  })
  const { state } = await sandbox.state()
  const commands = createRunningCommands(path.join(root, "records"))
  const sandboxed = (readable: readonly string[], isReadOnly = true) => ({
    ...{ project: "prj_bench", worktree, directory: worktree, readable: [...readable, ...shown] },
    ...{ writable: [], hidden: [], variables: [], hosts: [], ...(isReadOnly && { isReadOnly: true as const }) },
  })
  return {
    worktree,
    start: ({ confined, mayWrite, readable, network: _network, writable: _writable, env: own, ...launch }) =>
      startProgram(
        { commands, clock: Date.now },
        {
          ...{ ...launch, env: { PATH: search, HOME: homedir(), ...own } },
          confine:
            confined === "free" || state === "off"
              ? undefined
              : (inside) => sandbox.confine(inside, sandboxed(readable, !mayWrite)),
        },
      ),
    place: {
      ...{ projectID: "prj_bench", worktree, checkout: null, isTrusted: true, path: search },
      unconfined: async () => null,
      start: ({ readable, env: own, ...launch }) =>
        startProgram(
          { commands, clock: Date.now },
          {
            ...{ ...launch, owner: "bench", env: { PATH: search, HOME: homedir(), ...own } },
            confine: state === "off" ? undefined : (inside) => sandbox.confine(inside, sandboxed(readable)),
          },
        ),
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      rmSync(root, { recursive: true, force: true })
      rmSync(worktree, { recursive: true, force: true })
    },
  }
}
