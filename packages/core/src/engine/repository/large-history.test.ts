import { execFileSync, spawn } from "node:child_process"
import { randomFillSync } from "node:crypto"
import { once } from "node:events"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { allowTestServer, type GitServer, gitServer } from "../../test/git-server.ts"
import { answer, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const mebibyte = 1024 ** 2
const full = inject("full")
if (!full) console.log("repositories: 1 GB of history is only tried with DOCKET_TEST_FULL=1.")

/** Puts commits on `main`, each with another MiB that no compression makes smaller. */
async function addHistory(server: GitServer, commits: number): Promise<void> {
  const child = spawn("git", ["-c", "core.compression=0", "fast-import", "--quiet", "--force"], {
    cwd: server.git("rev-parse", "--absolute-git-dir"),
    stdio: ["pipe", "ignore", "inherit"],
  })
  const ended = once(child, "close")
  const content = Buffer.alloc(mebibyte)
  for (let index = 0; index < commits; index++) {
    randomFillSync(content)
    const from = index === 0 ? "from refs/heads/main^0\n" : ""
    child.stdin.write(
      `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + index} +0000\ndata 1\nx\n${from}M 100644 inline big.bin\ndata ${mebibyte}\n`,
    )
    if (!child.stdin.write(Buffer.from(content))) await once(child.stdin, "drain")
    child.stdin.write("\n")
  }
  child.stdin.end()
  expect(await ended).toEqual([0, null])
}

/** Bytes on the disk. */
function sizeOf(directory: string): number {
  return Number(execFileSync("du", ["-sk", directory]).toString().split("\t")[0]) * 1024
}

describe.runIf(full)("a repository with 1 GB of history", () => {
  test("is fetched once, lent to sessions, and never sent back", { timeout: 15 * 60_000 }, async () => {
    const server = await gitServer({ "a.txt": "one\n" })
    await addHistory(server, 1_000)
    const script: Script = (options) =>
      toolResults(options).length > 0
        ? answer("Done.")
        : answer("", { tool: "write", input: { filePath: "b.txt", content: "two\n" } })
    const { runtime, directory, errors, ...made } = await scriptedRuntime(script, {
      config: { permission: "allow", ...allowTestServer },
      env: { PATH: process.env.PATH ?? "" },
      titles: false,
    })
    onTestFinished(() => made[Symbol.asyncDispose]())
    const project = await runtime.project.add({ url: server.url }, new AbortController().signal)
    const work = async () => {
      const session = await runtime.session.create({ projectID: project.id })
      const turn = await runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Write" }] })
      expect(await runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", error: null })
      await server.until(() => server.has(`refs/heads/docket/${session.id}`))
      return (await runtime.session.get(session.id)).directory
    }
    const atServer = sizeOf(server.git("rev-parse", "--absolute-git-dir"))
    expect(atServer).toBeGreaterThan(1_000 * mebibyte)
    const [first, second] = [await work(), await work()]
    expect(sizeOf(`${directory}/.data/repositories`)).toBeLessThan(1_050 * mebibyte)
    for (const files of [first, second]) expect(sizeOf(files)).toBeLessThan(3 * mebibyte)
    expect(sizeOf(server.git("rev-parse", "--absolute-git-dir")) - atServer).toBeLessThan(mebibyte)
    expect(errors).toEqual([])
  })
})
