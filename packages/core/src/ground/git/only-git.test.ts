import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../../../../..")
const places = ["packages", "apps", "prisma/src"]

/** Files that start programs. Only `run-git.ts` starts git; the others start the program in their name. */
const starters = [
  "apps/cli/src/connect/spawn-server.ts",
  "apps/cli/src/doctor/check-machine.ts",
  "apps/cli/src/installation/run-npm.ts",
  "apps/cli/src/installation/try-package.ts",
  "apps/cli/src/operate/operate.ts",
  "apps/cli/src/serve.ts",
  "packages/client/scripts/emit-declarations.ts",
  "packages/core/src/acts/bound/create-bounds.ts",
  "packages/core/src/acts/sandbox/create-sandbox.ts",
  "packages/core/src/acts/sandbox/network-rooms.ts",
  "packages/core/src/acts/tool/crash-guard.ts",
  "packages/core/src/acts/tool/ripgrep.ts",
  "packages/core/src/acts/tool/run-command.ts",
  "packages/core/src/acts/tool/shell-syntax.ts",
  "packages/core/src/acts/tool/start-program.ts",
  "packages/core/src/ground/git/run-git.ts",
  "packages/core/src/setup/project/project-files.ts",
  "packages/core/src/setup/provider/package/run-npm.ts",
  "packages/mcp/src/conformance/run-scenario.ts",
  "packages/plugins/src/child/shell.ts",
]

async function sources(): Promise<string[]> {
  const found: string[] = []
  const visit = async (directory: string) => {
    for (const entry of await readdir(join(root, directory), { withFileTypes: true })) {
      const path = `${directory}/${entry.name}`
      // It counts lines of the repository itself, and is no part of the product.
      if (path === "packages/config/src/count-lines.ts") continue
      if (entry.isDirectory() && !/^(node_modules|test|dist|\.next|\.turbo)$/.test(entry.name)) await visit(path)
      else if (/\.(ts|tsx|mjs|js)$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) found.push(path)
    }
  }
  for (const place of places) await visit(place)
  return found
}

test("only one file starts git, and only known files start programs", async () => {
  const starting: string[] = []
  const git: string[] = []
  for (const path of await sources()) {
    const text = await readFile(join(root, path), "utf8")
    if (/["'](?:node:)?child_process["']|["']execa["']|["']simple-git["']/.test(text)) starting.push(path)
    if (/\b(?:spawn|execFile|exec|fork|run)(?:Sync)?\(\s*["'`]git\b/.test(text)) git.push(path)
  }
  expect(starting.toSorted()).toEqual(starters)
  expect(git).toEqual(["packages/core/src/ground/git/run-git.ts"])
})
