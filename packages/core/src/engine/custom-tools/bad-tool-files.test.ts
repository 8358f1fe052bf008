import { expect, test } from "vitest"
import { equipped, plain } from "./test/equipped.ts"

const good = { ".docket/tool/good.ts": plain("fine") }
const agent = { agent: "build" }

/** Each bad file, and what is said of it. */
const bad: [what: string, name: string, text: string, said: RegExp][] = [
  ["does not parse", "bad", "export default {{", /"bad" is left out: /],
  ["leaves the process", "bad", "process.exit(0)", /process\.exit\(\) is not for tools/],
  ["kills its process", "bad", "process.kill(process.pid, 'SIGKILL')", /ended before.*SIGKILL/],
  ["throws", "bad", 'throw new Error("no luck")', /no luck/],
  ["exports no tool", "bad", "export default 1", /exports no tool/],
  ["loads what is not there", "bad", 'import "./nowhere"', /nowhere/],
  [
    "has an argument of no schema",
    "bad",
    'export default { description: "d", args: { a: 1 }, execute() {} }',
    /argument "a"/,
  ],
  ["has the name of a built-in", "read", plain("forged"), /Docket has "read"/],
  ["names modules after a million spaces", "bad", `import${" ".repeat(1e6)}1`, /"bad" is left out: /],
  ["is too large", "bad", `//${"x".repeat(1024 * 1024)}`, /larger than 1048576 bytes/],
]

test.each(bad)("a file that %s is said, and takes no other with it", async (_what, name, text, said) => {
  const { host, trust, offered } = await equipped({ ...good, [`.docket/tool/${name}.ts`]: text })
  await using _ = host
  await trust()
  expect(await offered()).toEqual(["good"])
  const { projectID } = host.session
  const { problems, tools } = await host.runtime.tool.list(projectID, agent)
  expect(problems).toMatchObject([
    { file: expect.stringContaining(`${name}.ts`), message: expect.stringMatching(said) },
  ])
  expect(tools.filter((tool) => tool.name === "good")).toMatchObject([{ withheld: null, action: "allow" }])
  const configured = await host.runtime.config.get(projectID)
  expect(configured.problems.map(({ message }) => message)).toContainEqual(expect.stringMatching(said))
})

test("what was wrong is forgotten once the file is mended", async () => {
  const { host, put, trust, offered } = await equipped({ ".docket/tool/good.ts": "syntax (" })
  await using _ = host
  await trust()
  expect(await offered()).toEqual([])
  await put(".docket/tool/good.ts", plain("fine"))
  await trust()
  expect(await offered()).toEqual(["good"])
  expect((await host.runtime.tool.list(host.session.projectID, agent)).problems).toEqual([])
})

/** Each bad call, and the error that the model reads. */
const calls: [what: string, body: string, said: RegExp][] = [
  ["leaves the process", "process.exit(3)", /process\.exit\(\) is not for tools/],
  ["throws nothing that speaks", "throw undefined", /undefined/],
  ["ends without a result", "process.abort()", /ended before/],
  [
    "returns too much metadata",
    'return { output: "", metadata: { a: "x".repeat(20000) } }',
    /at most 16000 characters/,
  ],
]

test.each(calls)("a call that %s fails with a reason; the turn continues", async (_what, body, said) => {
  const text = `export default { description: "d", args: {}, async execute() { ${body} } }`
  const { host, trust, call } = await equipped({ ".docket/tool/word.ts": text })
  await using _ = host
  await trust()
  expect(await call({ tool: "word", input: {} })).toMatchObject({ status: "completed" })
  const { items } = await host.messages()
  const parts = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
  expect(parts).toMatchObject([{ state: { status: "error", error: expect.stringMatching(said) } }])
})

test("an enum of TypeScript and one of arguments work in a turn", async () => {
  const text = `import { tool } from "@opencode-ai/plugin"
enum Mood { Good = "good", Bad = "bad" }
export default tool({
  description: "d",
  args: { mood: tool.schema.enum(Mood), how: tool.schema.enum(["a", "b"]).optional() },
  execute: async ({ mood }) => (mood === Mood.Good ? "fine" : "oh"),
})`
  const { host, trust, calls: asked, call, results } = await equipped({ ".docket/tool/word.ts": text })
  await using _ = host
  await trust()
  await call({ tool: "word", input: { mood: "good" } })
  expect(results).toEqual(["fine"])
  const word = asked[0]?.tools?.find(({ name }) => name === "word")
  expect(word).toMatchObject({ inputSchema: { properties: { mood: { enum: ["good", "bad"] } }, required: ["mood"] } })
})
