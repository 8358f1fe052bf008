import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { FormatPlace } from "../acts/tool/formatters.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

test("a task in a worktree has its project's trust and packages", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "docket-place-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory = join(root, "project")
  mkdirSync(directory)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory })
  writeFileSync(join(directory, ".gitignore"), ".home\n")
  git("init", "-q")
  git("add", ".")
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin")
  const places: FormatPlace[] = []
  const write = (filePath: string) => answer("", { tool: "write", input: { filePath, content: "1\n" } })
  await using host = await scriptedRuntime(
    (options) => {
      if (toolResults(options).length > 0) return answer("Done.")
      if (lastUserText(options).includes("work apart")) return write("apart.txt")
      if (!lastUserText(options).includes("delegate")) return write("here.txt")
      const input = { subagent_type: "apart", prompt: "work apart", description: "apart" }
      return answer("", { tool: "task", input })
    },
    {
      directory,
      // Outside of the project, as it always is: worktrees lie in it.
      dataDirectory: "../data",
      config: {
        ...{ permission: "allow", delegation: { envelope: false }, formatter: { mine: { disabled: true } } },
        agent: { apart: { mode: "subagent", description: "works apart", isolation: "worktree" } },
      },
      env: { PATH: process.env.PATH ?? "" },
      formatters: {
        async format(place, texts) {
          places.push(place)
          return texts.map(() => null)
        },
      },
    },
  )
  const { runtime } = host
  const { projectID } = host.session
  const { trust } = await runtime.config.get(projectID)
  await runtime.config.trust({ projectID, hash: trust.hash ?? "" })
  await host.prompt("write something")
  await host.prompt("delegate")
  const settings = { mine: { disabled: true } }
  expect(places).toMatchObject([
    { worktree: directory, checkout: null, isTrusted: true, settings },
    { worktree: expect.stringContaining("worktrees"), checkout: directory, isTrusted: true, settings },
  ])
})
