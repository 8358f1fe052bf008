import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parseConfigText } from "../../setup/config/parse-config-text.ts"
import { createPluginFiles } from "./find-plugin-files.ts"

test("a plugin file whose name hides characters is left out", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "docket-plugin-names-"))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const place = path.join(home, ".config/docket/plugin")
  await mkdir(place, { recursive: true })
  for (const name of ["guard.ts", "guard\u202e.ts"]) await writeFile(path.join(place, name), "")
  const { files, problems } = await createPluginFiles({ home, env: {} }).own()
  expect(files.map(({ name }) => name)).toEqual(["guard.ts"])
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('The plugin "guard\\u{202e}.ts" is left out'),
  ])
})

test("a plugin of the configuration whose name hides characters is left out", () => {
  const { config, problems } = parseConfigText("f", JSON.stringify({ plugin: ["a\u200bb", ["c\u202e", {}], "d"] }))
  expect(config?.plugin).toEqual(["d"])
  expect(problems).toHaveLength(2)
})
