import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

type Run = Awaited<ReturnType<typeof runAgent>>

/** A directory outside the project. */
function outside(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-outside-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const edit = (file: string, newText: string) => ({
  ask: {
    ...{ toolCallId: "edit", title: "Edit", kind: "edit" },
    content: [{ type: "diff", path: file, oldText: "one\ntwo\n", newText }],
  },
})
const command = (text: string) => ({
  ask: { toolCallId: text, title: text, kind: "execute", rawInput: { command: text } },
})
const outcomesOf = async ({ noted }: Run) => (await noted()).flatMap(({ outcome }) => outcome ?? [])
const refusedOf = async ({ noted }: Run) => (await noted()).flatMap(({ refused }) => refused ?? [])

test("a link in an allowed file's place leads nowhere outside", async () => {
  const victim = path.join(outside(), "victim.txt")
  await writeFile(victim, "old\n")
  const run = await runAgent({ permission: { "*": "allow", external_directory: "deny" } })
  await run.delegate([
    edit(run.at("a.txt"), "new\n"),
    { link: { path: run.at("a.txt"), to: victim } },
    { write: { path: run.at("a.txt"), content: "new\n" } },
  ])
  expect(await outcomesOf(run)).toEqual(["option-allow_once"])
  expect(await refusedOf(run)).toEqual([expect.stringContaining("rules do not allow external_directory")])
  expect(await readFile(victim, "utf8")).toBe("old\n")
})

test("a link in an allowed file's place leads to no denied file", async () => {
  const run = await runAgent({
    files: { "a.txt": "one\ntwo\n", "b.txt": "old\n" },
    permission: { "*": "allow", edit: { "*": "allow", "b.txt": "deny" } },
  })
  await run.delegate([
    edit(run.at("a.txt"), "new\n"),
    { link: { path: run.at("a.txt"), to: run.at("b.txt") } },
    { write: { path: run.at("a.txt"), content: "new\n" } },
  ])
  expect(await outcomesOf(run)).toEqual(["option-allow_once"])
  expect(await refusedOf(run)).toEqual([expect.stringContaining("rules do not allow edit")])
  expect(await readFile(run.at("b.txt"), "utf8")).toBe("old\n")
})

test("an allowed command leaves the project only by the rules", async () => {
  const elsewhere = outside()
  await writeFile(path.join(elsewhere, "secret.txt"), "SECRET\n")
  const run = await runAgent({ permission: { "*": "allow", external_directory: "deny" } })
  await run.delegate([command("cat *.txt"), { run: { command: "cat *.txt", cwd: elsewhere } }])
  expect(await outcomesOf(run)).toEqual(["option-allow_once"])
  expect((await run.noted()).flatMap(({ answer }) => answer ?? [])).toMatchObject([
    { output: expect.stringContaining("rules do not allow external_directory"), exit: { exitCode: 126 } },
  ])
})

test("leave for a command holds once, in its directory", async () => {
  const started = await runAgent({
    files: { "a.txt": "", "sub/b.txt": "" },
    permission: { "*": "allow", bash: "ask" },
  })
  const { run, at, delegate, noted } = started
  const turn = delegate([
    command("ls"),
    { run: { command: "ls", cwd: at("sub") } },
    { run: { command: "ls" } },
    { run: { command: "ls" } },
  ])
  const requests = () =>
    run.events.flatMap((event) => (event.type === "permission.asked" ? [event.properties.request] : []))
  for (const asked of [1, 2, 3]) {
    await run.until(() => requests().length === asked)
    await run.runtime.permission.reply(requests()[asked - 1]?.id ?? "", "once")
  }
  await turn
  expect(requests().map(({ metadata }) => metadata)).toMatchObject([
    { command: "ls", workdir: at(".") },
    { command: "ls", workdir: at("sub") },
    { command: "ls", workdir: at(".") },
  ])
  expect((await noted()).flatMap(({ answer }) => answer ?? [])).toMatchObject([
    { output: "b.txt\n" },
    { output: expect.stringContaining("a.txt") },
    { output: expect.stringContaining("a.txt") },
  ])
})

test("a mode chosen meanwhile holds for what was allowed", async () => {
  const started = await runAgent({ permission: { "*": "allow", bash: { "*": "allow", "npm test": "ask" } } })
  const { run, at, delegate, noted } = started
  const turn = delegate([
    edit(at("a.txt"), "new\n"),
    command("touch new.txt"),
    command("npm test"),
    { write: { path: at("a.txt"), content: "new\n" } },
    { run: { command: "touch new.txt" } },
  ])
  const asked = await run.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("Nothing was asked.")
  await run.runtime.session.setPreset(run.session.id, "plan")
  await run.runtime.permission.reply(asked.properties.request.id, "once")
  await turn
  expect(await outcomesOf(started)).toEqual(Array(3).fill("option-allow_once"))
  expect(await refusedOf(started)).toEqual([expect.stringContaining("Plan only")])
  expect((await noted()).flatMap(({ answer }) => answer ?? [])).toMatchObject([
    { output: expect.stringContaining("Plan only"), exit: { exitCode: 126 } },
  ])
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\ntwo\n")
  expect(existsSync(at("new.txt"))).toBe(false)
})
