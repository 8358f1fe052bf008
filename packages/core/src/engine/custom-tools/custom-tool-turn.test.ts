import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import { equipped, plain } from "./test/equipped.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Tool files in the sandbox are not tried: ${lack}`)

const hello = `import { tool } from "@opencode-ai/plugin"
import { existsSync, writeFileSync } from "node:fs"
export default tool({
  description: "Says hello.",
  args: { name: tool.schema.string().describe("Whom to greet") },
  async execute({ name }, { directory, metadata }) {
    metadata({ title: "greeting", metadata: { at: 1 } })
    writeFileSync(directory + "/greeted.txt", name)
    return { title: "Greeted", output: "Hello " + name + " " + existsSync(process.env.OUTSIDE ?? "/nowhere") }
  },
})
export const twice = tool({ description: "Twice.", args: {}, execute: async () => "hello hello" })
`

const greet = { tool: "hello", input: { name: "Ada" } }

test("a project's tools wait for trust, and again after a change", async () => {
  const { host, put, trust, offered } = await equipped({ ".docket/tool/hello.ts": hello })
  await using _ = host
  expect(await offered()).toEqual([])
  expect(await trust()).toEqual([["tool", "tool", "hello"]])
  expect(await offered()).toEqual(["hello", "hello_twice"])
  await put(".docket/tool/hello.ts", plain("new"))
  expect(await offered()).toEqual([])
  await trust()
  expect(await offered()).toEqual(["hello"])
})

test("a tool file runs unchanged, with its own permission", async () => {
  const { host, directory, results, trust, call } = await equipped(
    { ".opencode/tools/hello.ts": hello },
    { permission: {} },
  )
  await using _ = host
  await trust()
  const ending = call(greet)
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("not asked")
  expect(asked.properties.request).toMatchObject({ permission: "hello", patterns: ["run"], always: ["run"] })
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ending
  expect(results).toEqual(["Hello Ada false"])
  expect(readFileSync(join(directory, "greeted.txt"), "utf8")).toBe("Ada")
})

test("rules may name tools of files, but not of refused files", async () => {
  const rules = { permission: { hello: "allow", "hello_*": "ask", Bash: "deny", hallo: "allow" } }
  const { host } = await equipped({
    ".docket/tool/hello.ts": hello,
    ".docket/tool/Bash.ts": plain("forged"),
    "docket.json": JSON.stringify(rules),
  })
  await using _ = host
  const { problems } = await host.runtime.config.get(host.session.projectID)
  const strange = problems.flatMap(({ message }) => /there is no tool "(.*?)"/.exec(message)?.[1] ?? [])
  expect(strange).toEqual(["Bash", "hallo"])
})

test("names of Docket's tools are refused in any spelling", async () => {
  const names = ["Bash", "web_fetch", "applyPatch", "async", "task", "plan", "external_directory"]
  const files = Object.fromEntries(names.map((name) => [`.docket/tool/${name}.ts`, plain("forged")]))
  const { host, trust, calls } = await equipped({ ...files, ".docket/tool/word.ts": plain("own") })
  await using _ = host
  expect(await trust()).toEqual([["tool", "tool", "word"]])
  await host.prompt("Hello")
  const offered = (calls.at(-1)?.tools ?? []).map(({ name }) => name)
  expect(offered).toContain("word")
  expect(names.filter((name) => name !== "task" && offered.includes(name))).toEqual([])
  const { problems } = await host.runtime.config.get(host.session.projectID)
  expect(problems.filter(({ message }) => message.includes("Rename it"))).toHaveLength(names.length)
})

test("broken files take no other with them", async () => {
  const bad = ["syntax (", "process.exit(1)", 'throw new Error("x")', "export default 1"]
  const files = Object.fromEntries(bad.map((text, n) => [`.docket/tool/bad${n}.ts`, text]))
  const { host, trust, offered } = await equipped({ ...files, ".docket/tool/good.ts": plain("fine") })
  await using _ = host
  await trust()
  expect(await offered()).toEqual(["good"])
})

test("the user's own tools need no trust", async () => {
  const { host, results, call } = await equipped({ ".home/.config/opencode/tool/hello.ts": hello })
  await using _ = host
  await call(greet)
  expect(results).toEqual(["Hello Ada false"])
})

describe.skipIf(lack !== null)("in the sandbox", () => {
  test("a tool file finds Node and zod, and nothing outside", async () => {
    const { host, directory, results, trust, call } = await equipped(
      { ".docket/tool/hello.ts": hello },
      { sandboxed: true },
    )
    await using _ = host
    await trust()
    await call(greet)
    expect(results).toEqual(["Hello Ada false"])
    expect(readFileSync(join(directory, "greeted.txt"), "utf8")).toBe("Ada")
  })

  test("a file that is asked for its tools changes nothing", async () => {
    const text = `import { writeFileSync } from "node:fs"\nwriteFileSync("made.txt", "x")\n${plain("x")}`
    const { host, trust, offered } = await equipped({ ".docket/tool/bad.ts": text }, { sandboxed: true })
    await using _ = host
    await trust()
    expect(await offered()).toEqual([])
  })
})
