import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { LanguagePlace } from "@docket/core/language-servers"
import { createRunningCommands } from "@docket/core/running-commands"
import type { LspConfig } from "@docket/core/schema"
import { type StartedProgram, startProgram } from "@docket/core/start-program"
import { onTestFinished } from "vitest"

export interface PlaceFixture {
  place: LanguagePlace
  worktree: string
  /** Writes a file of the project, and returns its path. */
  put(name: string, text: string): string
  /** The programs that were started. */
  programs: StartedProgram[]
}

/** A project whose servers run as they are, without a sandbox. */
export function makePlace({
  settings,
  isTrusted = true,
  search = process.env.PATH ?? "",
  unconfined = null,
}: {
  settings?: LspConfig
  isTrusted?: boolean
  search?: string
  unconfined?: string | null
} = {}): PlaceFixture {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-lsp-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const worktree = path.join(root, "project")
  mkdirSync(worktree)
  const commands = createRunningCommands(path.join(root, "records"))
  const programs: StartedProgram[] = []
  const place: LanguagePlace = {
    ...{ projectID: "prj_1", worktree, checkout: null, settings, isTrusted, path: search },
    unconfined: async () => unconfined,
    async start({ readable: _readable, env, ...launch }) {
      const own = { PATH: search, HOME: root, ...env }
      const program = await startProgram({ commands, clock: Date.now }, { ...launch, owner: "test", env: own })
      programs.push(program)
      return program
    },
  }
  const put = (name: string, text: string) => {
    const file = path.join(worktree, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  return { place, worktree, put, programs }
}
