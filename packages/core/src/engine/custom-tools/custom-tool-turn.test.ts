import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { describe, expect, onTestFinished, test } from "vitest"
import { createSandbox } from "../../acts/sandbox/create-sandbox.ts"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

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
const plain = (text: string) => `export default { description: "d", args: {}, execute: async () => "${text}" }\n`

/** A project with tool files, and a model that makes the calls in a prompt (JSON). */
async function equipped(
  files: Record<string, string>,
  { sandboxed = false, permission = "allow" as "allow" | object } = {},
) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "docket-tools-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
  for (const [name, text] of Object.entries(files)) await put(name, text)
  const calls: LanguageModelV4CallOptions[] = []
  const results: string[] = []
  const env = { PATH: process.env.PATH ?? "", HOME: join(directory, ".home") }
  const sandbox = createSandbox({
    // The sandbox refuses a project that contains the home directory.
    home: join(tmpdir(), "nobody"),
    env: process.env,
    platform: process.platform,
    dataDirectory: join(directory, ".data"),
    configDirectory: join(directory, ".home/.config/docket"),
    clock: Date.now,
  })
  const host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      calls.push(options)
      const found = toolResults(options)
      results.push(...found)
      return found.length > 0 || !text.startsWith("[") ? answer("Done.") : answer("", ...JSON.parse(text))
    },
    { directory, env, config: { permission }, ...(sandboxed && { sandbox }) },
  )
  const { projectID } = host.session
  const trust = async () => {
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
    return trust.entries.map(({ kind, path }) => [kind, ...path])
  }
  const offered = async () => {
    await host.prompt("Hello")
    const names = (calls.at(-1)?.tools ?? []).map(({ name }) => name)
    return names.filter((name) => /hello|good|bad|slow|word/.test(name))
  }
  const call = (...made: object[]) => host.prompt(JSON.stringify(made))
  return { host, directory, put, calls, results, trust, offered, call }
}

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
