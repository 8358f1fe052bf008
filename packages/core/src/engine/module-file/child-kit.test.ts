import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { projectFixture } from "../../test/project-fixture.ts"

const run = promisify(execFile)
const kit = new URL("child-kit.ts", import.meta.url).href

/** Loads the file in a process in which it changes right after it was read for the first time. */
async function loadedWhileChanging(name: string, trusted: string, later: string): Promise<string> {
  const { directory } = await projectFixture("child-kit", { [name]: trusted })
  const file = `${directory}/${name}`
  const sha256 = createHash("sha256").update(trusted).digest("hex")
  const script = `
    import fs from "node:fs"
    import { syncBuiltinESMExports } from "node:module"
    const read = fs.readFileSync
    fs.readFileSync = (at, ...how) => {
      const found = read(at, ...how)
      if (at === ${JSON.stringify(file)}) fs.writeFileSync(at, ${JSON.stringify(later)})
      return found
    }
    syncBuiltinESMExports()
    const kit = await import(${JSON.stringify(kit)})
    kit.registerModuleHooks({ zod: "", trusted: {
      within: ${JSON.stringify(directory)}, files: { ${JSON.stringify(file)}: "${sha256}" },
    } })
    const loaded = await import(${JSON.stringify(pathToFileURL(file).href)})
    console.log(loaded.said ?? loaded.default.said)
  `
  const { stdout } = await run(process.execPath, ["--no-warnings", "--input-type=module", "--eval", script])
  return stdout.trim()
}

test.each([
  ["a.ts", 'export const said: string = "trusted"', 'export const said = "other"'],
  ["a.mjs", 'export const said = "trusted"', 'export const said = "other"'],
  ["a.js", 'export const said = "trusted"', 'export const said = "other"'],
  ["a.cjs", 'module.exports = { said: "trusted" }', 'module.exports = { said: "other" }'],
])("what runs of %s is what was checked", async (name, trusted, later) => {
  expect(await loadedWhileChanging(name, trusted, later)).toBe("trusted")
})
