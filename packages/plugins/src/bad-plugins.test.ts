import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { AskDocket } from "./ask-docket.ts"
import { plugged, returning } from "./test/plugged.ts"

const own = (name: string) => `~/.config/docket/plugin/${name}.ts`
const glob = { tool: "glob", input: { pattern: "*.txt" } }
const adds = (text: string) =>
  returning(`{ "tool.execute.after": async (_, output) => { output.output += " ${text}" } }`)
/** A busy machine is slow, so only what never comes is given up soon. */
const times = { load: 20_000, hook: 1_500, call: 5_000, pong: 1_500, dispose: 500 }

/** Each bad plugin, and what is said of it. */
const bad: [what: string, text: string, said: RegExp][] = [
  ["does not parse", "export default {{", /./],
  ["throws when it is loaded", 'throw new Error("no luck")', /no luck/],
  ["throws when it begins", 'export default async () => { throw new Error("no luck") }', /no luck/],
  ["exports no function", "export const a = 1", /exports no plugin/],
  ["leaves the process", "process.exit(0)", /process\.exit\(\) is not for plugins/],
  ["kills its process", 'process.kill(process.pid, "SIGKILL")', /ended \(SIGKILL\)/],
  ["loads what is not there", 'import "./nowhere"', /nowhere/],
  [
    "kills its process in a hook",
    returning(`{ "tool.execute.after": async () => process.kill(process.pid, "SIGKILL") }`),
    /ended \(SIGKILL\)/,
  ],
  ["loops in a hook", returning(`{ "tool.execute.after": async () => { for (;;); } }`), /kept its process busy/],
  [
    "answers too much",
    returning(`{ "tool.execute.after": async (_, output) => { output.output = "x".repeat(20 * 1024 * 1024) } }`),
    /more than 16 MiB/,
  ],
]

test.each(bad)("a plugin that %s is named, and the others go on", async (_what, text, said) => {
  const { host, call, results, list } = await plugged(
    { [own("a")]: adds("before"), [own("b")]: text, [own("c")]: adds("after") },
    { times },
  )
  await using _ = host
  await call(glob)
  expect(results.at(-1)).toMatch(/ before after$/)
  await call(glob)
  expect(results.at(-1)).toMatch(/ before after$/)
  const listed = await list()
  expect(listed.map(({ state }) => state)).toEqual(["ready", "failed", "ready"])
  expect(listed[1]?.error).toMatch(said)
})

test("a call says which plugins were never loaded to look at it", async () => {
  const { host, call, lastCall } = await plugged({ [own("guard")]: "export default {{" }, { times })
  await using _ = host
  await call(glob)
  expect(await lastCall()).toMatchObject({
    status: "completed",
    metadata: { changed: [{ what: "unchecked", by: "plugin guard.ts", reason: expect.any(String) }] },
  })
})

const guard = returning(`{ "tool.execute.before": async () => {} }`)

test.each<[what: string, file: string, text: string, why: string]>([
  ["does not load", own("guard"), "export default {{", "guard.ts is required and does not run: "],
  ["waits for trust", ".docket/plugin/guard.ts", guard, "You do not trust it as it is now."],
  ["is not there", own("other"), guard, "There is no plugin of this name."],
])("no turn begins while a required plugin %s", async (_what, file, text, why) => {
  const config = { required_plugins: ["guard.ts"] }
  const { host, call, calls } = await plugged({ [file]: text }, { times, config })
  await using _ = host
  const turn = await call(glob)
  expect(turn).toMatchObject({ status: "failed", error: { message: expect.stringContaining(why) } })
  expect(calls).toEqual([])
})

test("a required plugin that is switched off lets no turn begin", async () => {
  const { host, call, list } = await plugged({ [own("guard")]: guard }, { config: { required_plugins: ["guard.ts"] } })
  await using _ = host
  expect(await call(glob)).toMatchObject({ status: "completed" })
  const [item] = await list()
  const ref = { kind: "plugin", name: item?.ref.name ?? "" } as const
  await host.runtime.extension.switch(host.session.projectID, ref, "off")
  expect(await call(glob)).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("It is switched off.") },
  })
})

test("a hook is off after three failures in a row", async () => {
  const { host, call, results, list } = await plugged(
    {
      [own("a")]: returning(`{ "tool.execute.after": async () => { throw new Error("again") } }`),
      [own("b")]: adds("after"),
    },
    { times },
  )
  await using _ = host
  for (let n = 0; n < 5; n++) await call(glob)
  expect(results.at(-1)).toMatch(/ after$/)
  const [first] = await list()
  expect(first).toMatchObject({
    state: "failed",
    error: "Off after failures: tool.execute.after.",
    use: { calls: 3, failures: 3, failure: { text: "again" } },
  })
  await host.runtime.extension.restart(host.session.projectID, { kind: "plugin", name: first?.ref.name ?? "" })
  expect((await list())[0]).toMatchObject({ state: "idle", error: null })
})

test("a silent hook is given up; one that decides stops the call", async () => {
  const { host, call, lastCall, list } = await plugged(
    {
      [own("a")]: returning(`{ "tool.definition": () => new Promise(() => {}) }`),
      [own("b")]: returning(`{ "tool.execute.before": () => new Promise(() => {}) }`),
    },
    { times: { ...times, hook: 200 } },
  )
  await using _ = host
  await call(glob)
  expect(await lastCall()).toMatchObject({
    status: "error",
    error: expect.stringMatching(/^The plugin b\.ts could not be asked about the call, so it was not made: /),
  })
  for (let n = 0; n < 2; n++) await call(glob)
  // Off, and still closed.
  await call(glob)
  expect(await lastCall()).toMatchObject({ error: expect.stringContaining("is off after 3 failures") })
  expect((await list()).map(({ state }) => state)).toEqual(["failed", "failed"])
})

test("a plugin that decides about permissions and fails leaves them to people", async () => {
  const { host, call } = await plugged(
    { [own("a")]: returning(`{ "permission.ask": async () => { throw new Error("lost") } }`) },
    { times },
  )
  await using _ = host
  const ended = call({ tool: "write", input: { filePath: "a.txt", content: "x" } })
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nobody was asked")
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ended
})

test("an output of another form than the hook's counts for nothing", async () => {
  const { host, calls, list } = await plugged(
    {
      [own("a")]: returning(`{
        "chat.params": async (_, output) => { output.temperature = "hot" },
        "chat.headers": async (_, output) => { output.headers = 5 },
        "experimental.chat.system.transform": async (_, output) => { output.system = null },
      }`),
    },
    { times },
  )
  await using _ = host
  expect(await host.prompt("Hello")).toMatchObject({ status: "completed" })
  expect(calls[0]?.temperature).toBeUndefined()
  expect(await list()).toMatchObject([{ use: { failures: 3 } }])
})

test("a request under the number of another is refused", async () => {
  const asked: string[] = []
  const ask: AskDocket = ({ path, signal }) => {
    asked.push(path)
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  }
  const { host, call, list } = await plugged(
    {
      [own("a")]: `import { writeSync } from "node:fs"
const write = (path) => writeSync(1, JSON.stringify({ fetch: 900, method: "GET", path, headers: [], body: null }) + "\\n")
${returning(`{ "tool.execute.after": async () => { write("/one"); write("/two") } }`)}`,
    },
    { times, ask },
  )
  await using _ = host
  await call(glob)
  expect(asked).toEqual(["/one"])
  expect((await list())[0]?.log.join()).toContain("the number 900, which another one has")
})

test("what a plugin prints is kept within bounds and breaks no message", async () => {
  const { host, call, results, list } = await plugged(
    {
      [own("a")]: `import { writeSync } from "node:fs"
console.log("loaded")
process.stdout.write("and seen\\n")
writeSync(1, "no message\\n")
for (let n = 0; n < 20_000; n++) console.error("noise ".repeat(20) + n)
${adds("done")}`,
    },
    { times },
  )
  await using _ = host
  await call(glob)
  expect(results.at(-1)).toMatch(/ done$/)
  const [item] = await list()
  expect(item?.log.length).toBe(50)
  expect(item?.log.at(-1)).toContain("noise")
})

test("a plugin that changes globals changes them for nobody outside", async () => {
  const before = JSON.stringify
  const { host, call, results } = await plugged(
    {
      [own("a")]: `JSON.stringify = () => "forged"
JSON.parse = () => ({})
Array.prototype.map = function () { return [] }
Promise.prototype.finally = undefined
globalThis.fetch = undefined
${returning("{}")}`,
    },
    { times },
  )
  await using _ = host
  await call(glob)
  expect(JSON.stringify).toBe(before)
  expect(results.at(-1)).toBe("No files match.")
})

test("a project's plugin runs as it was trusted, with what it loads", async () => {
  const { host, call, results, trust, put, list, later } = await plugged({
    ".docket/plugin/a.ts": `import { word } from "./lib/word"\n${adds("$" + "{word}")
      .replace('" $', "` $")
      .replace('}"', "}`")}`,
    ".docket/plugin/lib/word.ts": 'export const word = "trusted"\n',
  })
  await using _ = host
  await call(glob)
  expect(results.at(-1)).not.toContain("trusted")
  await trust()
  await call(glob)
  expect(results.at(-1)).toMatch(/ trusted$/)
  await put(".docket/plugin/lib/word.ts", 'export const word = "changed"\n')
  later()
  await call(glob)
  expect(results.at(-1)).not.toMatch(/trusted|changed/)
  expect(await list()).toEqual([])
})

test("a sandboxed plugin reads no token, writes nothing, reaches nobody", async () => {
  const { host, directory, call, results, trust, list } = await plugged(
    {
      ".docket/plugin/a.ts": `import { readFileSync, writeFileSync } from "node:fs"
const tried = (act) => { try { act(); return "did" } catch (error) { return error.code } }
export default async ({ worktree }) => ({
  "tool.execute.after": async (_, output) => {
    const read = tried(() => readFileSync(worktree + "/.data/token", "utf8"))
    const wrote = tried(() => writeFileSync(worktree + "/plugin.txt", "x"))
    const reached = await fetch("http://127.0.0.1:9").then(() => "did", (error) => error.cause?.code ?? "failed")
    output.output += " [" + [read, wrote, reached].join() + "]"
  },
})
`,
    },
    { sandboxed: true, times },
  )
  await using _ = host
  mkdirSync(join(directory, ".data"), { recursive: true })
  writeFileSync(join(directory, ".data/token"), "secret")
  await trust()
  await call(glob)
  const [item] = await list()
  expect([item?.state, item?.error]).toEqual(["ready", null])
  expect(results.at(-1)).toMatch(/ \[(ENOENT|EACCES),EROFS,\w+\]$/)
})
