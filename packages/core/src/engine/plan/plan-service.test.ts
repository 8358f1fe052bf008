import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

const text = "# Page\n\n1. Add the page\n   in src\n2. Test it\n"

/** A session whose plan has been written. */
async function planned(): Promise<ScriptedRuntime & { file: string }> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-plan-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const host = await scriptedRuntime(() => answer("Planned."), { directory })
  const turn = await host.runtime.prompt.submit(host.session.id, {
    parts: [{ type: "text", text: "Add a page" }],
    agent: "plan",
  })
  await host.runtime.prompt.wait(turn.id)
  expect(await host.runtime.plan.get(host.session.id)).toBe(null)
  const { plan = "" } = await host.runtime.session.get(host.session.id)
  const file = join(directory, plan)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return { ...host, file }
}

test("an edit is saved to the plan file; an outdated version conflicts", async () => {
  await using host = await planned()
  const { plan } = host.runtime
  const id = host.session.id
  const read = await plan.get(id)
  expect(read?.text).toBe(text)
  const version = read?.version ?? ""
  const saved = await plan.write(id, { text: `${text}3. Ship it\n`, version })
  expect(await readFile(host.file, "utf8")).toBe(`${text}3. Ship it\n`)
  expect(await plan.get(id)).toEqual(saved)
  await expect(plan.write(id, { text: "lost", version })).rejects.toMatchObject({ code: "plan_changed" })
  await expect(plan.write(id, { text: " \n", version: saved.version })).rejects.toThrow("cannot be empty")
  expect(await readFile(host.file, "utf8")).toContain("Ship it")
})

test("no link in the place of a plan is read or written", async () => {
  await using host = await planned()
  const secret = join(host.directory, "secret.txt")
  await writeFile(secret, "secret")
  await rm(host.file)
  await symlink(secret, host.file)
  const { plan } = host.runtime
  await expect(plan.get(host.session.id)).rejects.toThrow("symbolic link")
  await expect(plan.write(host.session.id, { text: "x", version: "" })).rejects.toThrow("symbolic link")
  expect(await readFile(secret, "utf8")).toBe("secret")
})

test("only a session's own plan file is read as a plan", async () => {
  await using host = await planned()
  await writeFile(join(host.directory, "secret.txt"), "secret")
  for (const plan of ["secret.txt", "../secret.txt", join(host.directory, "secret.txt"), ".docket/plans/a.md"]) {
    const patch = { kind: "session.patch", sessionID: host.session.id, patch: { plan } } as const
    await host.store.write.commit([{ rootID: host.session.id, mutations: [patch] }])
    await expect(host.runtime.plan.get(host.session.id), plan).rejects.toThrow("no plan of this session")
  }
})

test("each step becomes a todo once, and later edits are kept", async () => {
  await using host = await planned()
  const { plan, todo } = host.runtime
  const id = host.session.id
  const { added, known } = await plan.makeTodos(id, null)
  expect(known).toBe(0)
  expect(added.map(({ content, description, plan: of }) => [content, description, of?.step])).toEqual([
    ["Add the page", "in src", 1],
    ["Test it", "", 2],
  ])
  expect(await todo.list(id)).toEqual(added)
  await todo.update(added[0]?.id ?? "", { content: "Add the page, at last" }, { actor: { kind: "user", name: "user" } })
  await todo.remove(added[1]?.id ?? "", { actor: { kind: "user", name: "user" } })
  expect(await plan.makeTodos(id, null)).toEqual({ added: [], known: 2 })
  await writeFile(host.file, `${text}3. Ship it\n`)
  expect((await plan.makeTodos(id, null)).added.map(({ content }) => content)).toEqual(["Ship it"])
  const [change] = await todo.history({ sessionID: id })
  expect(change).toMatchObject({ actor: { kind: "user" }, by: { person: "local" }, before: null })
})

test("the model is notified of todos made from the plan's steps", async () => {
  const told: string[] = []
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-plan-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await using host = await scriptedRuntime(
    (options) => {
      told.push(lastUserText(options))
      return answer("Done.")
    },
    { directory },
  )
  const prompt = async (words: string, agent: string) => {
    const parts = [{ type: "text" as const, text: words }]
    const turn = await host.runtime.prompt.submit(host.session.id, { parts, agent })
    await host.runtime.prompt.wait(turn.id)
  }
  await prompt("Add a page", "plan")
  const { plan = "" } = await host.runtime.session.get(host.session.id)
  await mkdir(join(directory, dirname(plan)), { recursive: true })
  await writeFile(join(directory, plan), text)
  await host.runtime.plan.makeTodos(host.session.id, null)
  await prompt("Go", "build")
  expect(told.at(-1)).toMatch(/The user added #\d+ "Add the page"/)
})

test("a plan without steps and a session without a plan are refused", async () => {
  await using host = await planned()
  await writeFile(host.file, "Just do it.")
  await expect(host.runtime.plan.makeTodos(host.session.id, null)).rejects.toThrow("no numbered steps")
  await rm(host.file)
  await expect(host.runtime.plan.makeTodos(host.session.id, null)).rejects.toMatchObject({ code: "plan_not_found" })
})
