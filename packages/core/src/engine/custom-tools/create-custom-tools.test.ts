import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { unconfined } from "../../acts/sandbox/confinement.ts"
import { createRunningCommands } from "../../acts/tool/running-commands.ts"
import type { ProvidedFile } from "../../setup/config/provided-file.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { createCustomTools } from "./create-custom-tools.ts"
import { createToolProblems } from "./tool-problems.ts"

test("many files that hang are given up together", async () => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-hanging-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const files = Array.from({ length: 12 }, (_, n): ProvidedFile => {
    const file = path.join(directory, `hang${n}.ts`)
    const text = "await new Promise((resolve) => setTimeout(resolve, 600_000))"
    writeFileSync(file, text)
    return { kind: "tool", name: `hang${n}`, file, text }
  })
  const asked: string[] = []
  const problems = createToolProblems()
  const source = createCustomTools({
    commands: createRunningCommands(path.join(directory, "records")),
    clock: Date.now,
    files: {
      own: async () => ({ files, problems: [] }),
      findProvided: async () => ({ files: [], problems: [] }),
      names: async () => [],
    },
    env: { PATH: process.env.PATH },
    limits: { describe: 1_000, describeAll: 1_000, call: 1_000 },
    replaced: async () => [],
    problems,
    isShared: false,
    confinementOf: async () => unconfined,
    variablesOf: async () => ({ named: [], withheld: [], isShared: false }),
    async boundOf(_, { processTag }) {
      asked.push(processTag)
      return null
    },
  })
  const place = { id: "id", directory, worktree: directory }
  const turn = { session: place, project: place, provided: { top: directory, files: [] } } as unknown as TurnContext
  expect(await source.tools(turn)).toEqual([])
  expect(problems.of(place.id)).toHaveLength(files.length)
  expect(asked.length).toBeLessThanOrEqual(8)
})
