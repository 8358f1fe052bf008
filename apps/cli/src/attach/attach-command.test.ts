import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { type ServiceWithProject, startServiceWithProject } from "../test/start-service-with-project.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let work: ServiceWithProject

beforeAll(async () => {
  work = await startServiceWithProject()
  await writeFile(path.join(work.project, "greeting.js"), 'export const greeting = "hello"\n')
})
afterAll(() => work.remove())

interface Attached {
  child: ChildProcess
  output(): string
  said(pattern: RegExp): Promise<void>
  end: Promise<number>
}

/** `docket attach`, on a terminal of its own where `columns` are given. */
function attach(args: string[], terminal?: { columns: number }): Attached {
  const all = [cli, "attach", ...args, "--data", work.data]
  const quoted = [process.execPath, ...all].map((word) => `'${word}'`).join(" ")
  const [program = "", words] = terminal
    ? [
        "script",
        ["--quiet", "--return", "--command", `stty cols ${terminal.columns} rows 24; exec ${quoted}`, "/dev/null"],
      ]
    : [process.execPath, all]
  const child = spawn(program, words as string[], {
    env: { ...work.env, SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill())
  let output = ""
  let more = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk
      more.resolve()
      more = Promise.withResolvers()
    })
  }
  const end = once(child, "close").then(([code]) => Number(code))
  const said = async (pattern: RegExp) => {
    while (!pattern.test(output)) {
      if (child.exitCode !== null) throw new Error(`it ended before: ${output}`)
      await Promise.race([more.promise, end])
    }
  }
  return { child, output: () => output, said, end }
}

const newSession = async () => (await work.client.session.create.mutate({ projectID: work.projectID })).id
const prompt = (sessionID: string, text: string) =>
  work.client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })

it("docket attach tells of a tree in plain lines", async () => {
  const sessionID = await newSession()
  const { said, child, end, output } = attach([sessionID])
  await said(/^following /m)
  await prompt(sessionID, "Where is the greeting made?")
  await said(/^done$/m)
  child.kill("SIGINT")
  expect([await end, output()]).toEqual([0, expect.stringContaining("> Where is the greeting made?\n")])
  expect(output()).toMatch(/^\[explore 1\] ✓ \w+/m)
  expect(output()).toMatch(/^\[explore 2\] {3}│ .+/m)
  expect(output()).toMatch(/^todos 4 of 4$/m)
  expect(output()).not.toContain("\u001b")
})

it("docket attach to a child tells only of what is below it", async () => {
  const sessionID = await newSession()
  await work.client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Where is the greeting made?" }] })
  const [child] = await work.client.session.children.query({ sessionID })
  const { said, child: command, end, output } = attach([child?.id ?? ""])
  await said(/^following /m)
  await prompt(sessionID, "Where is the farewell made?")
  await work.client.session.prompt.mutate({
    sessionID: child?.id ?? "",
    parts: [{ type: "text", text: "Look once more." }],
  })
  await said(/^> Look once more\.$/m)
  await said(/^done$/m)
  command.kill("SIGINT")
  expect([await end, output()]).toEqual([0, expect.not.stringContaining("farewell")])
})

it("docket attach --until-done ends with the code of the last turn", async () => {
  const sessionID = await newSession()
  await work.client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Where is the greeting made?" }] })
  const { end, output } = attach(["--until-done"])
  expect([await end, output()]).toEqual([0, expect.stringContaining("> Where is the greeting made?\n")])
  await prompt(sessionID, `write hello to ${path.join(work.home, "outside.txt")}`)
  const stopped = attach(["--until-done"])
  await stopped.said(/needs you/)
  await work.client.session.abort.mutate({ sessionID })
  expect(await stopped.end).toBe(130)
})

it("without a terminal a request is told of and left open", async () => {
  const sessionID = await newSession()
  await prompt(sessionID, `write hello to ${path.join(work.home, "outside.txt")}`)
  const { child, said, end, output } = attach([sessionID])
  await said(/needs you: .+\n {2}answer at http:\/\/127\.0\.0\.1:\d+\/s\/ses_/)
  child.kill("SIGINT")
  expect([await end, output()]).toEqual([0, expect.stringContaining(`docket attach ${sessionID}`)])
  expect((await work.client.session.tree.query({ sessionID })).permissions).toHaveLength(1)
  await work.client.session.abort.mutate({ sessionID })
})

it.skipIf(process.platform !== "linux")("a phone-wide terminal asks, and shows the todos below", async () => {
  const sessionID = await newSession()
  await prompt(sessionID, `write hello to ${path.join(work.home, "outside.txt")}`)
  const { child, said, end, output } = attach([sessionID, "--until-done"], { columns: 40 })
  await said(/\[o\]nce/)
  child.stdin?.write("o\n")
  expect(await end).toBe(0)
  expect(output()).toContain("wants to")
  // The board: what stood there is drawn over.
  expect(output()).toContain("A\r\u001b[J")
  expect((await work.client.session.tree.query({ sessionID })).permissions).toEqual([])
})

it.skipIf(process.platform !== "linux")("Ctrl-D at a question leaves, and the question stays open", async () => {
  const sessionID = await newSession()
  await prompt(sessionID, `write hello to ${path.join(work.home, "outside.txt")}`)
  const { child, said, end, output } = attach([sessionID], { columns: 40 })
  await said(/\[o\]nce/)
  child.stdin?.write("\u0004")
  expect([await end, output()]).toEqual([0, expect.stringContaining(`docket attach ${sessionID}`)])
  expect((await work.client.session.tree.query({ sessionID })).permissions).toHaveLength(1)
  await work.client.session.abort.mutate({ sessionID })
})

it.skipIf(process.platform !== "linux")("of two terminals that answer, one is told of the other", async () => {
  const sessionID = await newSession()
  await prompt(sessionID, `write hello to ${path.join(work.home, "outside.txt")}`)
  const both = ["o\n", "r\nNot there.\n"].map((typed) => ({
    ...attach([sessionID, "--until-done"], { columns: 80 }),
    typed,
  }))
  await Promise.all(both.map(({ said }) => said(/\[o\]nce/)))
  for (const { child, typed } of both) child.stdin?.write(typed)
  await Promise.all(both.map(({ end }) => end))
  const told = both.map(({ output }) => /(?:allowed|refused) elsewhere: |answer was not taken: /.test(output()))
  expect(told.filter(Boolean)).toHaveLength(1)
})
