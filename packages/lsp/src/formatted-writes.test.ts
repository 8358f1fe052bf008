import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import path from "node:path"
import { createSandbox } from "@docket/core/sandbox"
import { answer, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { expect, onTestFinished, test } from "vitest"
import { createFormatters } from "./create-formatters.ts"
import { patientTimers } from "./test/patient-timers.ts"

const prettier = realpathSync(path.resolve(import.meta.dirname, "../node_modules/prettier"))

const newSandbox = (directory: string) =>
  createSandbox({
    home: homedir(),
    env: process.env,
    platform: process.platform,
    dataDirectory: path.join(directory, ".data"),
    configDirectory: path.join(directory, ".home/.config/docket"),
    clock: Date.now,
  })

const probe = newSandbox(tmpdir())
const { state: sandboxState, reason } = await probe.state()
await probe.close()
const hasSandbox = sandboxState === "on" || sandboxState === "weak"
if (!hasSandbox) console.warn(`Formatters in the sandbox are not tried: ${reason}`)

interface Options {
  files?: Record<string, string>
  config?: object
  isTrusted?: boolean
}

/** A project with prettier in a sandbox, and a model that makes the calls in a prompt (JSON). */
async function formatted({ files = {}, config = {}, isTrusted = true }: Options = {}) {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-formatted-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    writeFileSync(path.join(directory, name), text)
  }
  for (const [name, text] of Object.entries(files)) put(name, text)
  // Undo works in git only.
  execFileSync("git", ["init", "-q"], { cwd: directory })
  mkdirSync(path.join(directory, "node_modules/.bin"), { recursive: true })
  symlinkSync(prettier, path.join(directory, "node_modules/prettier"))
  symlinkSync("../prettier/bin/prettier.cjs", path.join(directory, "node_modules/.bin/prettier"))
  const sandbox = newSandbox(directory)
  onTestFinished(() => sandbox.close())
  const results: string[] = []
  const host = await scriptedRuntime(
    (options) => {
      const found = toolResults(options)
      results.push(...found)
      const asked = options.prompt.findLast(({ role }) => role === "user")
      const said =
        asked?.role === "user" ? asked.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []
      const text = said.find((part) => part.startsWith("[{")) ?? ""
      return found.length > 0 || text === "" ? answer("Done.") : answer("", ...JSON.parse(text))
    },
    {
      ...{ directory, config: { permission: "allow", ...config }, sandbox },
      env: { PATH: process.env.PATH ?? "" },
      formatters: createFormatters({ timers: patientTimers }),
    },
  )
  onTestFinished(() => host[Symbol.asyncDispose]())
  const { projectID } = host.session
  if (isTrusted) {
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
  }
  const call = async (tool: string, input: object) => {
    await host.prompt(JSON.stringify([{ tool, input }]))
    return results.at(-1) ?? ""
  }
  const read = (name: string) => readFileSync(path.join(directory, name), "utf8")
  return { host, call, put, read, directory }
}

test.runIf(hasSandbox)("a text is formatted once, told, undone, and known as written", async () => {
  const { host, call, read } = await formatted({ files: { ".prettierrc": '{ "semi": false }' } })
  const said = await call("write", { filePath: "a.ts", content: "export const a   =  {b:1};\nexport const c = 2\n" })
  expect(read("a.ts")).toBe("export const a = { b: 1 }\nexport const c = 2\n")
  expect(said).toMatch(/^Created a\.ts .*\n\nprettier formatted a\.ts before it was written\. There it is now:\n/s)
  expect(said).toContain("1: export const a = { b: 1 }\n2: export const c = 2")
  // The model may go on from the text that it was shown: the file has not changed since.
  const edit = { filePath: "a.ts", oldString: "{ b: 1 }", newString: "[ 'x' ]" }
  expect(await call("edit", edit)).toMatch(/^Edited a\.ts: \+1 −1 lines\.\n\nprettier formatted a\.ts/)
  expect(read("a.ts")).toBe('export const a = ["x"]\nexport const c = 2\n')
  const { items } = await host.messages()
  const asked = items.findLast(({ info }) => info.role === "user")
  await host.runtime.session.revert(host.session.id, asked?.info.id ?? "")
  expect(read("a.ts")).toBe("export const a = { b: 1 }\nexport const c = 2\n")
  await host.runtime.session.unrevert(host.session.id)
  expect(read("a.ts")).toBe('export const a = ["x"]\nexport const c = 2\n')
})

test.runIf(hasSandbox)("an edit of an unformatted file changes only its lines", async () => {
  const { call, read } = await formatted({ files: { ".prettierrc": "{}", "old.ts": "const a={}\nconst b={}\n" } })
  await call("read", { filePath: "old.ts" })
  expect(await call("edit", { filePath: "old.ts", oldString: "b={}", newString: "b=[]" })).not.toContain("prettier")
  expect(read("old.ts")).toBe("const a={}\nconst b=[]\n")
})

test.runIf(hasSandbox)("each file of several changes is formatted, with its own line ends", async () => {
  const files = { ".prettierrc": '{ "endOfLine": "crlf" }', "b.ts": "const b = {};\r\n" }
  const { host, call, read } = await formatted({ files })
  await call("read", { filePath: "b.ts" })
  await host.prompt(
    JSON.stringify([
      { tool: "write", input: { filePath: "in/a.ts", content: "const a={}\n" } },
      { tool: "multiedit", input: { filePath: "b.ts", edits: [{ oldString: "{};", newString: "[  ];" }] } },
    ]),
  )
  expect([read("in/a.ts"), read("b.ts")]).toEqual(["const a = {};\r\n", "const b = [];\r\n"])
})

test.runIf(hasSandbox)("what a project brings can neither write nor reach the network", async () => {
  const evil = `import fs from "node:fs"
import net from "node:net"
const outcomes = []
try { fs.writeFileSync(new URL("written", import.meta.url), "x"); outcomes.push("wrote") } catch { outcomes.push("no writing") }
await new Promise((resolve) => net.connect(9, "192.0.2.1").on("error", (error) => resolve(outcomes.push(error.code))))
throw new Error(outcomes.join(", "))
`
  const { call, read, directory } = await formatted({
    files: { ".prettierrc": '{ "plu\\u0067ins": ["./evil.mjs"] }', "evil.mjs": evil },
  })
  expect(await call("write", { filePath: "a.ts", content: "a=1\n" })).toMatch(
    /\[prettier did not format a\.ts: .*no writing, E[A-Z]*UNREACH/,
  )
  expect(read("a.ts")).toBe("a=1\n")
  expect(existsSync(path.join(directory, "written"))).toBe(false)
})

test.runIf(hasSandbox)("a project that nobody trusts starts nothing, said once a turn", async () => {
  const files = { ".prettierrc.json": "{}", "package.yaml": "prettier: {}\n" }
  const { host, read } = await formatted({ isTrusted: false, files })
  const write = (name: string) => ({ tool: "write", input: { filePath: name, content: "a=1\n" } })
  await host.prompt(JSON.stringify([write("a.ts"), write("b.ts")]))
  const { items } = await host.messages()
  const outputs = items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.output] : [])),
  )
  expect(outputs.filter((output) => output.includes("prettier did not format"))).toHaveLength(1)
  expect(outputs.join("\n")).toMatch(/Trust the project if it may run\.\]/)
  expect([read("a.ts"), read("b.ts")]).toEqual(["a=1\n", "a=1\n"])
})

test.runIf(hasSandbox)("`formatter: false` starts no formatter", async () => {
  const { call, read } = await formatted({ config: { formatter: false }, files: { ".prettierrc": "{}" } })
  await call("write", { filePath: "a.ts", content: "a=1\n" })
  expect(read("a.ts")).toBe("a=1\n")
})
