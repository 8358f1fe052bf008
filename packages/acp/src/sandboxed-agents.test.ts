import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

const hasSandbox = (() => {
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

test.runIf(hasSandbox)("an agent changes its project and nothing else", async () => {
  const outside = path.join(tmpdir(), `docket-acp-${process.pid}`)
  await mkdir(outside, { recursive: true })
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const { delegate, at, messages, results } = await runAgent({ isSandboxed: true, acp: { args: [script()] } })
  await delegate([
    { edit: { path: at("a.txt"), content: "changed\n" } },
    { say: "In the project." },
    { edit: { path: path.join(outside, "b.txt"), content: "out\n" } },
    { say: "Outside." },
  ])
  expect(await readFile(at("a.txt"), "utf8")).toBe("changed\n")
  expect(existsSync(path.join(outside, "b.txt"))).toBe(false)
  expect(results[0]).not.toContain("Outside.")
  const [, answer] = await messages()
  expect(answer?.info).toMatchObject({ program: { outside: null } })
})

test.runIf(hasSandbox)("where rules let nothing be changed, an agent cannot", async () => {
  const { delegate, at } = await runAgent({
    isSandboxed: true,
    acp: { args: [script()] },
    agent: { permission: { edit: "deny" } },
  })
  await delegate([{ edit: { path: at("a.txt"), content: "changed\n" } }, { say: "Changed." }])
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\ntwo\n")
})

test.runIf(hasSandbox)("what an agent keeps in one project is not in another", async () => {
  const { run, at, delegate, delegation, results } = await runAgent({
    isSandboxed: true,
    files: { "a.txt": "", "other/b.txt": "" },
    acp: { args: [script()] },
  })
  const kept = [path.join(tmpdir(), "nobody/kept.txt"), path.join(tmpdir(), "kept.txt")]
  await delegate(kept.map((file) => ({ edit: { path: file, content: "kept" } })))
  const looks = kept.map((look) => ({ look }))
  await delegate(looks)
  expect(results.at(-1)).toContain("It is there.It is there.")
  const project = await run.runtime.project.open(at("other"))
  const { id } = await run.runtime.session.create({ projectID: project.id })
  const turn = await run.runtime.prompt.submit(id, { parts: [{ type: "text", text: delegation(looks) }] })
  await run.runtime.prompt.wait(turn.id)
  expect(results.at(-1)).toContain("It is not there.It is not there.")
})

test("outside the sandbox, an agent that may change nothing does not start", async () => {
  const { delegate, results } = await runAgent({ acp: { sandbox: false }, agent: { permission: { edit: "deny" } } })
  await delegate([{ say: "Never." }])
  expect(results[0]).toContain("nothing holds it to them")
})

function script(): string {
  return path.join(import.meta.dirname, "test/scripted-agent.mjs")
}
