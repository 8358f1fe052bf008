import { expect, test } from "vitest"
import { seeProject } from "../../setup/config/seen-project.ts"
import { projectFixture } from "../../test/project-fixture.ts"
import { createPluginFiles } from "./find-plugin-files.ts"

test("a project's plugins are read up to a limit in all", async () => {
  // Each names another thousand files that are not there, and each name is looked for in nine ways.
  const names = (plugin: number) => Array.from({ length: 1_000 }, (_, n) => `import "./p${plugin}/none${n}"\n`).join("")
  const files = Object.fromEntries([1, 2, 3].map((n) => [`.docket/plugin/p${n}.ts`, names(n)]))
  const { directory } = await projectFixture("read-module", files)
  const seen = await seeProject({ worktree: directory, directory })
  const project = { ...seen, home: `${directory}/.home`, named: async () => [] }
  const found = await createPluginFiles({ home: project.home, env: {} }).findProvided(project)
  expect(found.files.map(({ name }) => name)).toEqual(["p1.ts", "p2.ts"])
  expect(found.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The plugin "p3.ts" is left out: the file is not read: .*at most 64 MiB are\.$/),
  ])
})
