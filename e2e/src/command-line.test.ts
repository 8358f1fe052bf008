import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { createProject } from "./fixtures/project.ts"
import { runDocket, startDocketCommand } from "./fixtures/run-docket.ts"
import { runSession } from "./fixtures/run-session.ts"
import { test as base, expect } from "./fixtures/service-test.ts"
import { writeUserConfig } from "./fixtures/user-config.ts"

const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from the pattern
  .extend("home", async ({}, { onCleanup }) => {
    const home = await mkdtemp(path.join(tmpdir(), "docket-home-"))
    onCleanup(() => rm(home, { recursive: true, force: true }))
    return home
  })
  // A project that no running service knows: `docket run` starts its own.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  .extend("plain", async ({}, { onCleanup }) => {
    const project = await createProject()
    onCleanup(() => project.remove())
    return project
  })

test.override({ config: {} })

test("docket run answers with the rehearsal model", async ({ plain, home }) => {
  const { code, stdout, stderr } = await runDocket(["run", "Where is the greeting made?"], {
    cwd: plain.directory,
    home,
  })
  expect(stderr).toContain("todos")
  expect(stdout).toContain("src/greeting.js")
  expect(code).toBe(0)
})

for (const [name, id] of [
  ["OpenAI-compatible", "scripted/scripted"],
  ["Anthropic", "scripted-anthropic/claude-scripted"],
  ["Google", "scripted-google/gemini-scripted"],
] as const) {
  test(`docket run works over the ${name} wire format`, async ({ model, plain, home }) => {
    await writeUserConfig(home, modelConfig(model.url))
    model.script({
      "Who calls greeting": [
        { text: "I search.", calls: [{ tool: "grep", args: { pattern: "greeting" } }] },
        { text: "src/main.js calls it." },
      ],
    })
    const { code, stdout, stderr } = await runDocket(["run", "Who calls greeting?", "--model", id], {
      cwd: plain.directory,
      home,
    })
    expect(stderr).toContain("✓ grep")
    expect(stdout).toContain("src/main.js calls it.")
    expect(code).toBe(0)
  })
}

test("docket run --variant sets the thinking level and refuses unknown ones", async ({ model, plain, home }) => {
  await writeUserConfig(home, modelConfig(model.url))
  model.script({ "Think hard": [{ text: "Thought." }] })
  const run = (variant: string) =>
    runDocket(["run", "Think hard", "--model", "scripted/thinker", "--variant", variant], {
      cwd: plain.directory,
      home,
    })
  expect(await run("high")).toMatchObject({ code: 0, stdout: expect.stringContaining("Thought.") })
  expect(model.requests).toHaveLength(1)
  expect(model.requests[0]).toMatchObject({ reasoning_effort: "high" })
  expect(await run("hihg")).toMatchObject({ code: 2, stderr: expect.stringContaining("It has low, medium, high.") })
  expect(model.requests).toHaveLength(1)
})

test("docket run --format json prints an event per line, then the result", async ({ model, plain, home }) => {
  await writeUserConfig(home, modelConfig(model.url))
  model.script({ "Say hello": [{ text: "Hello." }] })
  const { code, stdout } = await runDocket(["run", "Say hello", "--format", "json"], { cwd: plain.directory, home })
  const lines = stdout.trim().split("\n")
  const items = lines.map((line) => JSON.parse(line))
  expect(items.at(-1)).toMatchObject({ type: "result", text: "Hello.", turn: { status: "completed" } })
  expect(items.some((item) => item.type === "message.part.updated")).toBe(true)
  expect(code).toBe(0)
})

test("docket run uses the running service and goes on with a session", async ({ server, model, project, home }) => {
  model.script({ First: [{ text: "One." }], Second: [{ text: "Two." }] })
  const run = (...args: string[]) =>
    runDocket(["run", ...args, "--data", server.data, "--format", "json"], { cwd: project.directory, home })
  const last = (stdout: string) => JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}")
  const first = last((await run("First")).stdout)
  const second = last((await run("Second", "--session", first.sessionID)).stdout)
  expect(second).toMatchObject({ text: "Two.", sessionID: first.sessionID })
  const listed = await runDocket(["sessions", "--data", server.data], { cwd: project.directory, home })
  expect(listed.stdout).toContain(first.sessionID)
  const login = await runDocket(["login", "--data", server.data], { cwd: project.directory, home })
  expect(login.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#\S+\n$/)
})

test("docket run without a terminal refuses permissions, says so and fails", async ({ model, plain, home }) => {
  await writeUserConfig(home, modelConfig(model.url, { permission: { bash: "ask" } }))
  model.script({
    "Try it": [
      { calls: [{ tool: "bash", args: { command: "touch made.txt", description: "Make a file" } }] },
      { text: "It was refused." },
    ],
  })
  const { code, stdout, stderr } = await runDocket(["run", "Try it"], { cwd: plain.directory, home })
  expect(stderr).toContain("refused, as nobody can be asked: build wants to run a command: touch made.txt")
  expect(stderr).toContain("1 permission request was refused")
  expect(stdout).toContain("It was refused.")
  expect(code).toBe(3)
  await expect(plain.read("made.txt")).rejects.toThrow()
})

test("docket run sends a command with arguments and refuses an unknown one", async ({ model, plain, home }) => {
  const command = { look: { template: "Look at $1. Files: !`ls src`" } }
  await writeUserConfig(home, modelConfig(model.url, { command, permission: { bash: "allow" } }))
  model.script({ "Look at src/main.js. Files: greeting.js": [{ text: "I looked." }] })
  const { code, stdout } = await runDocket(["run", "/look src/main.js"], { cwd: plain.directory, home })
  expect(stdout).toContain("I looked.")
  expect(code).toBe(0)
  const unknown = await runDocket(["run", "/lok src/main.js"], { cwd: plain.directory, home })
  expect(unknown.stderr).toContain('There is no command "/lok". Did you mean "look"?')
  expect(unknown.code).not.toBe(0)
})

test("docket run reads a long prompt from stdin and names configuration mistakes", async ({ model, plain, home }) => {
  await writeUserConfig(home, modelConfig(model.url, { modle: "x" }))
  model.script({ "Read this": [{ text: "I have read it." }] })
  const input = "Read this".padEnd(1_000_000, "y")
  const { code, stdout, stderr } = await runDocket(["run", "-"], { cwd: plain.directory, home, input })
  expect(stdout).toContain("I have read it.")
  expect(stderr).toMatch(/docket\.json:1:\d+: .*modle/)
  expect(code).toBe(0)

  const tooLong = await runDocket(["run", "-"], { cwd: plain.directory, home, input: "y".repeat(1_153_434) })
  expect(tooLong.stderr).toContain("the prompt on stdin is larger than 1 MB, the most that a session takes")
  expect(tooLong.code).toBe(2)
})

test("a failed turn exits 1 with the reason", async ({ model, plain, home }) => {
  await writeUserConfig(home, modelConfig(model.url))
  model.script({ Hello: [{ failure: { status: 401, message: "That key is wrong." } }] })
  const { code, stderr } = await runDocket(["run", "Hello"], { cwd: plain.directory, home })
  expect(stderr).toMatch(/✗ .*key/)
  expect(code).toBe(1)
})

test("wrong calls exit 2 with one line", async ({ plain, home }) => {
  const at = { cwd: plain.directory, home }
  for (const [args, words] of [
    [["run", " "], "the prompt is empty"],
    [["run", "Hi", "--model", "nope/none"], "nope"],
    [["run", "Hi", "--model", "none"], "provider/model"],
    [["run", "Hi", "--agent", "nobody"], 'no agent "nobody"'],
    [["run", "Hi", "--session", "ses_000000000000AAAAAAAAAAAAAA"], "ses_000000000000AAAAAAAAAAAAAA"],
    [["run", "Hi", "--project", "/does/not/exist"], "/does/not/exist"],
  ] as const) {
    const { code, stderr } = await runDocket([...args], at)
    expect(stderr, args.join(" ")).toContain(words)
    expect(stderr.trim().split("\n"), args.join(" ")).toHaveLength(1)
    expect(code, args.join(" ")).toBe(2)
  }
})

test("a command that needs a service exits 5 when none runs", async ({ plain, home }) => {
  const { code, stderr } = await runDocket(["sessions"], { cwd: plain.directory, home })
  expect(stderr).toContain("no Docket runs")
  expect(code).toBe(5)
})

test("Ctrl-C stops the tree and exits 130", async ({ model, plain, home }) => {
  const gate = createGate()
  await writeUserConfig(home, modelConfig(model.url))
  model.script({ "Wait for me": [{ text: "Too late.", gate }] })
  const command = startDocketCommand(["run", "Wait for me"], { cwd: plain.directory, home })
  await gate.reached
  command.interrupt()
  const { code, stdout } = await command.result
  gate.open()
  expect(code).toBe(130)
  expect(stdout).not.toContain("Too late.")
})

test("tokens and tenants are made, listed, revoked and removed by commands", async ({ server, project, home }) => {
  const docket = (...args: string[]) => runDocket([...args, "--data", server.data], { cwd: project.directory, home })
  const made = await docket("token", "create", "--tenant", "acme", "--name", "nightly build")
  const secret = made.stdout.trim()
  expect(secret).toMatch(/^atr_[0-9a-f]{64}$/)
  const call = (body?: object) =>
    fetch(`${server.url}/v1/todos`, {
      headers: { authorization: `Bearer ${secret}` },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    })
  const listed = async (...args: string[]) => (await docket("token", "list", ...args)).stdout
  expect(await listed()).toMatch(/acme +\d{4}-\d\d-\d\d \d\d:\d\dZ +never +nightly build\n/)
  expect((await call({ subject: "file the ticket" })).status).toBe(201)
  expect(await listed("--tenant", "acme")).toMatch(/acme +(\S+ \S+Z +){2}nightly build\n/)
  expect(await listed("--tenant", "local")).toBe("no tokens\n")
  expect(await listed()).not.toContain(secret.slice(4, 20))
  expect((await docket("tenant", "list")).stdout).toMatch(/^acme +0 +1 +0 +0 +1$/m)

  const id = /tok_\S+/.exec(await listed())?.[0] ?? ""
  expect(await docket("token", "revoke", id)).toMatchObject({
    code: 0,
    stdout: 'revoked "nightly build" of tenant acme\n',
  })
  expect((await call()).status).toBe(401)
  expect(await listed()).toBe("no tokens\n")
  expect(await listed("--all")).toContain("nightly build (revoked)")
  expect(await docket("token", "revoke", `${id.slice(0, -1)}_`)).toMatchObject({ code: 2, stdout: "" })

  expect(await docket("tenant", "remove", "acme")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nobody can be asked here: add --yes"),
  })
  expect((await docket("tenant", "remove", "acme", "--yes")).stdout).toBe(
    "removed acme: 0 sessions, 1 todo, 0 memory entries, 0 schedules, 0 tokens\n",
  )
  expect((await docket("tenant", "list")).stdout).not.toContain("acme")
  expect(await listed("--all")).toBe("no tokens\n")
  expect((await docket("tenant", "remove", "acme", "--yes")).stderr).toContain('there is no tenant "acme"')
  const refused = await docket("tenant", "remove", "local", "--yes")
  expect(refused.stderr).toContain('The tenant "local" is the one whose agents this service runs')
  expect(refused.code).toBe(2)
})

test("docket share reports hidden secrets, and docket unshare ends the link", async ({
  client,
  projectID,
  server,
  project,
  home,
}) => {
  const key = `AKIA${"Q7XZ".repeat(4)}`
  const docketWith = (input: string, ...args: string[]) =>
    runDocket([...args, "--data", server.data], { cwd: project.directory, home, input })
  const docket = (...args: string[]) => docketWith("", ...args)
  const { id } = await client.session.create.mutate({ projectID, title: `Use ${key}` })
  const made = await docketWith("correct horse\n", "share", id, "--frozen", "--expires", "7d", "--password-file", "-")
  expect(made.stderr).toContain("These are hidden (--accept-findings shows them):\n  AWS access key: 1×")
  expect(made.stdout).toMatch(/\/share\/[\w-]{22}\n$/)
  const open = async (link: string) => (await fetch(link.trim().replace("/share/", "/api/share/"))).status
  expect(await open(made.stdout)).toBe(404)
  const plain = await docket("share", id)
  expect(await open(plain.stdout)).toBe(200)
  expect((await docket("shares")).stdout).toMatch(/anyone, password +\d{4}-\d\d-\d\d \d\d:\d\dZ +0 +1/)
  expect((await docket("unshare", id)).stdout).toBe("revoked its 2 links\n")
  expect(await open(plain.stdout)).toBe(404)
  expect((await docket("shares")).stdout).toBe("no links\n")
  expect((await docket("share", id, "--expires", "soon")).code).toBe(2)
  const seen = await docket("share", id, "--password", "correct horse")
  expect(seen).toMatchObject({ code: 2, stdout: "" })
  expect(seen.stderr).toContain("--password-file")
})

test("docket describe prints what a session changed as a commit message", async ({
  client,
  projectID,
  model,
  server,
  project,
  home,
}) => {
  const call = { tool: "write", args: { filePath: "notes.txt", content: "one\n" } }
  model.script({ "Add the notes": [{ calls: [call] }, { text: "Added." }] })
  const docket = (...args: string[]) => runDocket([...args, "--data", server.data], { cwd: project.directory, home })
  const none = await docket("describe")
  expect(none).toMatchObject({ code: 2, stdout: "" })
  expect(none.stderr).toContain("there is no session to describe")
  const { id } = await client.session.create.mutate({ projectID, title: "Notes" })
  const nothing = await docket("describe", id)
  expect(nothing.stderr).toContain("Nothing to describe")
  await runSession(client, projectID, "Add the notes")
  expect(await docket("describe")).toMatchObject({ code: 0, stdout: "Add the notes\n" })
})

test("docket import reads a file of docket export, or explains why not", async ({
  client,
  projectID,
  server,
  project,
  home,
}) => {
  const docket = (...args: string[]) => runDocket([...args, "--data", server.data], { cwd: project.directory, home })
  const key = `AKIA${"Q7XZ".repeat(4)}`
  const { id } = await client.session.create.mutate({ projectID, title: `Use ${key}` })
  const file = path.join(home, "session.json")
  expect(await docket("export", id, "--out", file)).toMatchObject({ code: 0, stdout: "" })
  expect((await docket("export", id)).stdout).toBe(await readFile(file, "utf8"))
  const readable = await docket("export", id, "--format", "markdown", "--sanitize")
  expect(readable.stdout).toContain("# Use \\[redacted: AWS access key\\]")
  const refused = await docket("import", file)
  expect(refused).toMatchObject({ code: 2, stdout: "" })
  expect(refused.stderr).toContain("here already. Import it with new ids")
  const copied = await docket("import", file, "--new-ids")
  expect(copied.stderr).toContain(`imported "Use ${key}" from docket: 1 session`)
  const copy = await client.session.get.query({ sessionID: copied.stdout.trim() })
  expect(copy).toMatchObject({ title: `Use ${key}`, directory: project.directory, status: { type: "idle" } })
  await writeFile(file, '{"format":"docket.session"')
  expect((await docket("import", file)).stderr).toContain("breaks off")
  expect((await docket("import", home)).stderr).toContain("cannot be imported")
  const missing = await docket("import", path.join(home, "none.json"))
  expect(missing.stderr).toContain("none.json cannot be imported: it does not exist")
  expect((await docket("import", file, "--project", path.join(home, "nowhere"))).code).toBe(2)
})
