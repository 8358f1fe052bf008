import { readFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { plugged, returning } from "./test/plugged.ts"

const hook = returning(`{ "tool.execute.after": async (_, output) => { output.output += " changed" } }`)
const glob = { tool: "glob", input: { pattern: "*.txt" } }

test("a plugin that the user's docket.json names is uninstalled", async () => {
  const { host, directory, put, later, list, call, results } = await plugged({ "tools/named.ts": hook })
  await using _ = host
  const file = path.join(directory, ".home/.config/docket/docket.json")
  const spec = path.join(directory, "tools/named.ts")
  await put(
    "~/.config/docket/docket.json",
    `{\n  // Mine.\n  "plugin": ["${spec}", "waits-for-consent"],\n  "permission": "allow"\n}\n`,
  )
  later()
  await call(glob)
  expect(results.at(-1)).toContain(" changed")
  const { projectID } = host.session
  const [named, waits] = await list()
  expect([named?.removal.how, waits?.removal.how]).toEqual(["entry", "entry"])
  await host.runtime.extension.uninstall(projectID, { kind: "plugin", name: named?.ref.name ?? "" })
  await host.runtime.extension.uninstall(projectID, { kind: "plugin", name: waits?.ref.name ?? "" })
  expect(await list()).toEqual([])
  expect(await readFile(file, "utf8")).toBe('{\n  // Mine.\n  "plugin": [],\n  "permission": "allow"\n}\n')
  await call(glob)
  expect(results.at(-1)).not.toContain(" changed")
})

test("plugins that are files stay, and say what to do", async () => {
  const files = { "~/.config/docket/plugin/own.ts": hook, ".docket/plugin/p.ts": hook }
  const { host, directory, trust, list } = await plugged(files)
  await using _ = host
  await trust()
  const own = path.join(directory, ".home/.config/docket/plugin/own.ts")
  expect((await list()).map(({ removal }) => removal)).toEqual([
    { how: "file", words: `It counts because its file is there. To uninstall it, remove ${own}.` },
    { how: "stays", words: expect.stringContaining("belongs to the project") },
  ])
  const uninstall = host.runtime.extension.uninstall(host.session.projectID, {
    kind: "plugin",
    name: ".docket/plugin/p.ts",
  })
  await expect(uninstall).rejects.toMatchObject({ code: "invalid_input" })
})
