import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { FormatPlace, Formatting } from "@docket/core/formatters"
import { builtinFormatters, FormatterConfig } from "@docket/core/schema"
import { createManualTime } from "@docket/core/test/manual-time"
import { expect, test } from "vitest"
import { createFormatters } from "./create-formatters.ts"
import { formatterDefinitions } from "./formatter-definitions.ts"
import { makePlace } from "./test/make-place.ts"
import { patientTimers } from "./test/patient-timers.ts"

const script = path.join(import.meta.dirname, "test/scripted-formatter.mjs")
const repository = path.resolve(import.meta.dirname, "../../..")
const prettier = path.resolve(import.meta.dirname, "../node_modules/prettier")
const never = new AbortController().signal

interface Options {
  settings?: FormatterConfig
  isTrusted?: boolean
  search?: string
  unconfined?: string | null
  timers?: Parameters<typeof createFormatters>[0]["timers"]
}

function setUp({ settings, timers = patientTimers, ...options }: Options = {}) {
  const { place: base, ...fixture } = makePlace(options)
  const place: FormatPlace = { ...base, settings }
  const formatters = createFormatters({ timers })
  const format = async (
    name: string,
    text: string,
    before: string | null = null,
    signal = never,
  ): Promise<Formatting | undefined> => {
    const [made] = await formatters.format(place, [{ file: path.join(place.worktree, name), before, text }], signal)
    return made
  }
  return { ...fixture, place, formatters, format }
}

const scripted = (...args: string[]): FormatterConfig => ({
  scripted: { command: [process.execPath, script, ...args], extensions: ["txt"] },
})

/** A project with programs of its own in `node_modules`. */
function withPrograms({ worktree }: { worktree: string }) {
  mkdirSync(path.join(worktree, "node_modules/.bin"), { recursive: true })
  symlinkSync(prettier, path.join(worktree, "node_modules/prettier"))
  symlinkSync("../prettier/bin/prettier.cjs", path.join(worktree, "node_modules/.bin/prettier"))
  putProgram(
    path.join(worktree, "node_modules/.bin/biome"),
    `exec ${path.join(repository, "node_modules/.bin/biome")} "$@"`,
  )
}

function putProgram(file: string, line: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
}

/** A search path on which no formatter is. */
const bare = `${path.dirname(process.execPath)}:/usr/bin:/bin`

test.each([
  ["[*.{sh,bash}]\nindent_size = 2\n", true],
  ["[*.ts]\n# sh ]\n", false],
  [`[${"sh ".repeat(300_000)}`, false],
])("an .editorconfig chooses shfmt by a section for shells", (text, chosen) => {
  const [marker] = formatterDefinitions.find(({ id }) => id === "shfmt")?.markers ?? []
  expect(marker?.chooses?.(text)).toBe(chosen)
})

test("new files and those that were formatted before are formatted", async () => {
  const { format, programs } = setUp({ settings: scripted() })
  expect(await format("a.txt", "new\n")).toEqual({ formatter: "scripted", text: "NEW\n" })
  expect(programs).toHaveLength(1)
  // It came out of the formatter, so it is not tried again.
  expect(await format("a.txt", "NEW\nmore\n", "NEW\n")).toEqual({ formatter: "scripted", text: "NEW\nMORE\n" })
  expect(programs).toHaveLength(2)
  expect(await format("b.txt", "OLD\nmore\n", "OLD\n")).toEqual({ formatter: "scripted", text: "OLD\nMORE\n" })
  expect(programs).toHaveLength(4)
})

test("a file that was not formatted stays as it is", async () => {
  const { format } = setUp({ settings: scripted() })
  expect(await format("a.txt", "old\nmore\n", "old\n")).toBeNull()
})

test.each([
  ["silent", "it wrote nothing"],
  ["crashes", "no such rule"],
  ["killed", "it was ended by SIGKILL"],
  ["binary", "what it wrote is not UTF-8 text"],
  ["endless", "it wrote more than 16 MiB"],
])("a formatter that is %s leaves the text and says so", async (mode, why) => {
  const { format, programs } = setUp({ settings: scripted(mode) })
  expect(await format("a.txt", "text\n")).toEqual({
    formatter: "scripted",
    fault: `scripted did not format a.txt: ${why}. It is written as you gave it.`,
  })
  await Promise.all(programs.map(({ ended }) => ended))
})

test("an exit code with the same text is no fault", async () => {
  const { format } = setUp({ settings: scripted("as-is") })
  expect(await format("a.txt", "text\n")).toEqual({ formatter: "scripted", text: "text\n" })
})

test("a formatter that hangs is ended with its children", async () => {
  const time = createManualTime()
  const { formatters, place, programs } = setUp({ settings: scripted("hangs"), timers: time.timers })
  const texts = ["a", "b", "c", "d"].map((name) => {
    return { file: path.join(place.worktree, `${name}.txt`), before: null, text: "x\n" }
  })
  const said = formatters.format(place, texts, never)
  await expect.poll(() => programs.length).toBe(2)
  await time.pass(5_000)
  const fault = (name: string) => ({
    formatter: "scripted",
    fault: `scripted did not format ${name}.txt: it was not done within 5 s. It is written as you gave it.`,
  })
  // The other files of the call do not wait for it again.
  expect(await said).toEqual([fault("a"), fault("b"), null, null])
  // Its child holds the output open until it ends, too.
  for (const { ended, stdout } of programs) {
    await ended
    await expect.poll(() => stdout.destroyed || stdout.readableEnded).toBe(true)
  }
})

test("a stopped turn ends the formatter", async () => {
  const { format, programs } = setUp({ settings: scripted("hangs") })
  const stop = new AbortController()
  const said = format("a.txt", "x\n", null, stop.signal)
  await expect.poll(() => programs.length).toBe(1)
  stop.abort()
  expect(await said).toBeNull()
  await programs[0]?.ended
})

test("the nearest directory with a configuration chooses the formatter", async () => {
  const fixture = setUp()
  const { put, format } = fixture
  withPrograms(fixture)
  put("biome.json", '{ "formatter": { "indentStyle": "space", "indentWidth": 8 } }')
  put("package.json", '{ "prettier": { "semi": false } }')
  put("inner/.prettierrc", "tabWidth: 3\n")
  put("inner/package.json", "{}")
  const source = "function f(){return 1}\n"
  const eight = { formatter: "biome", text: "function f() {\n        return 1;\n}\n" }
  const three = { formatter: "prettier", text: "function f() {\n   return 1;\n}\n" }
  expect(await format("a.ts", source)).toEqual(eight)
  expect(await format("other/a.ts", source)).toEqual(eight)
  expect(await format("inner/deep/a.ts", source)).toEqual(three)
  // Biome does not know the ending.
  expect(await format("a.md", "*  one\n")).toEqual({ formatter: "prettier", text: "- one\n" })
  expect(await format("inner/a.txt", source)).toBeNull()
})

test("a task's worktree uses the packages of the project's checkout", async () => {
  const task = setUp({ search: bare })
  const project = setUp()
  withPrograms(project)
  task.put("in/.prettierrc", "{}")
  task.place.checkout = project.worktree
  expect(await task.format("in/a.ts", "x  = 1\n")).toEqual({ formatter: "prettier", text: "x = 1;\n" })
  task.place.isTrusted = false
  expect(await task.format("in/a.ts", "x  = 1\n")).toMatchObject({ fault: expect.stringMatching(/Trust the project/) })
})

test("a project without a configuration of a formatter has none", async () => {
  const fixture = setUp()
  const { put, format, programs } = fixture
  withPrograms(fixture)
  put("package.json", '{ "dependencies": { "prettier": "3.10.1" } }')
  put(".editorconfig", "[*]\nindent_size = 2\n")
  expect(await format("a.ts", "x  =  1\n")).toBeNull()
  expect(await format("a.sh", "x  =  1\n")).toBeNull()
  expect(programs).toEqual([])
})

test("a text with an error of syntax is left, with the error", async () => {
  const fixture = setUp()
  const { put, format } = fixture
  withPrograms(fixture)
  put(".prettierrc.json", "{}")
  const made = await format("a.ts", "const a = (\n")
  expect(made).toMatchObject({ fault: expect.stringMatching(/^prettier did not format a\.ts: .*SyntaxError/) })
})

test("a formatter that is missing is said", async () => {
  const { put, format } = setUp({ search: "/nowhere" })
  put(".prettierrc", "{}")
  expect(await format("a.ts", "x\n")).toEqual({
    formatter: "prettier",
    fault: "prettier did not format a.ts: Install prettier to use it.",
    isLasting: true,
  })
})

test("in an untrusted project nothing of the project runs", async () => {
  const fixture = setUp({ isTrusted: false, search: bare })
  const { put, format, programs } = fixture
  withPrograms(fixture)
  put("biome.json", "{}")
  put("inner/.prettierrc", '{ "plu\\u0067ins": ["./evil.mjs"] }')
  put("js/prettier.config.mjs", "export default {}")
  put("yaml/package.yaml", "prettier: { overrides: [] }\n")
  for (const name of ["a.ts", "inner/a.ts", "js/a.ts", "yaml/a.ts"]) {
    const made = await format(name, "x  =  1\n")
    expect(made).toMatchObject({ fault: expect.stringMatching(/Trust the project if it may run\.$/) })
  }
  expect(programs).toEqual([])
})

test("what is on the path runs, unless its settings can be code", async () => {
  const root = path.join(setUp().worktree, "tools")
  for (const name of ["gofmt", "prettier", "biome", "rustfmt"]) putProgram(path.join(root, name), "tr a-z A-Z")
  const { put, format, programs } = setUp({ isTrusted: false, search: `${root}:${bare}` })
  put("go.mod", "module a\n")
  expect(await format("a.go", "go\n")).toEqual({ formatter: "gofmt", text: "GO\n" })
  expect(programs).toHaveLength(1)
  put("biome.json", "{}")
  put("inner/.prettierrc", "{}")
  put("Cargo.toml", '[package]\nedition = "2024"\n')
  for (const name of ["a.ts", "inner/a.ts", "a.rs"]) {
    expect(await format(name, "x\n")).toMatchObject({ fault: expect.stringMatching(/of the project\. Trust/) })
  }
  expect(programs).toHaveLength(1)
})

test.each([
  [["npx", "prettier"], /npx runs programs of the project/],
  [["python3", "-m", "black", "-"], /Python loads modules of the project/],
  [["node", "./evil.mjs"], /\.\/evil\.mjs lies in the project/],
  [["node", "--import=./evil.mjs", "-"], /\.\/evil\.mjs lies in the project/],
  [["node", "."], /\. lies in the project/],
  [["./evil.mjs"], /it lies in the project/],
])("the command %s of one's own configuration needs trust", async (command, why) => {
  const root = path.join(setUp().worktree, "tools")
  for (const name of ["npx", "python3", "node"]) putProgram(path.join(root, name), "tr a-z A-Z")
  const settings = { mine: { command, extensions: [".txt"] } }
  const { format, programs, place } = setUp({ settings, isTrusted: false, search: `${root}:${bare}` })
  putProgram(path.join(place.worktree, "evil.mjs"), "tr a-z A-Z")
  expect(await format("a.txt", "x\n")).toMatchObject({ fault: expect.stringMatching(why) })
  expect(programs).toEqual([])
  place.settings = { mine: { command: ["node", "-e", "harmless"], extensions: [".txt"] } }
  expect(await format("a.txt", "x\n")).toEqual({ formatter: "mine", text: "X\n" })
})

test("at most four formatters run at once", async () => {
  const { place, formatters, programs } = setUp({ settings: scripted("hangs") })
  const stop = new AbortController()
  const calls = Array.from({ length: 6 }, (_, at) => {
    const file = path.join(place.worktree, `${at}.txt`)
    return formatters.format(place, [{ file, before: null, text: "x\n" }], stop.signal)
  })
  await expect.poll(() => programs.length).toBe(4)
  stop.abort()
  expect(await Promise.all(calls)).toEqual(calls.map(() => [null]))
  expect(programs).toHaveLength(4)
  await Promise.all(programs.map(({ ended }) => ended))
})

test("settings of a hostile project are read in little time", async () => {
  const { put, format } = setUp({ isTrusted: false, search: bare })
  put(".editorconfig", `[${"sh ".repeat(300_000)}`)
  put("pyproject.toml", `${" ".repeat(500_000)}\n${"\n ".repeat(200_000)}`)
  put("package.yaml", `${"prettier ".repeat(100_000)}`)
  for (const name of ["a.sh", "a.py", "a.ts"]) expect(await format(name, "x\n")).toBeNull()
})

test("without a sandbox no formatter runs in an untrusted project", async () => {
  const { format, programs } = setUp({ settings: scripted(), isTrusted: false, unconfined: "There is no sandbox." })
  expect(await format("a.txt", "x\n")).toMatchObject({
    fault: "scripted did not format a.txt: There is no sandbox. Trust the project if it may run without a sandbox.",
  })
  expect(programs).toEqual([])
})

test("a command with $FILE changes a copy among links to its neighbours", async () => {
  const fixture = setUp({ isTrusted: true })
  const { put, worktree } = fixture
  put("settings.txt", "from the project\n")
  put("in/[side]/near.txt", "beside\n")
  const file = put("in/[side]/it is.txt", "in the project\n")
  const change = 'set -e\ncat "$1" "$(dirname "$1")/near.txt" settings.txt > "$1.new"\nmv "$1.new" "$1"'
  putProgram(path.join(worktree, "bin/format"), change)
  fixture.place.settings = { mine: { command: ["./bin/format", "$FILE"], extensions: [".txt"] } }
  expect(await fixture.format("in/[side]/it is.txt", "given\n")).toEqual({
    formatter: "mine",
    text: "given\nbeside\nfrom the project\n",
  })
  expect(readFileSync(file, "utf8")).toBe("in the project\n")
  expect(readdirSync(path.dirname(file)).sort()).toEqual(["it is.txt", "near.txt"])
  // The directory of a new file is not there yet.
  rmSync(path.join(worktree, "in"), { recursive: true })
  expect(await fixture.format("in/x.txt", "given\n")).toMatchObject({ fault: expect.stringMatching(/near\.txt/) })
  expect(existsSync(path.join(worktree, "in"))).toBe(false)
})

test("docket.json turns formatters off and changes them", async () => {
  const fixture = setUp({ settings: false })
  const { put, place, format } = fixture
  withPrograms(fixture)
  put("biome.json", "{}")
  put(".prettierrc", "{}")
  expect(await format("a.json", '{"a":1}')).toBeNull()
  place.settings = { biome: { disabled: true } }
  expect(await format("a.json", '{"a":1}')).toEqual({ formatter: "prettier", text: '{ "a": 1 }\n' })
  place.settings = { biome: { extensions: [".css"] }, prettier: { command: [process.execPath, script] } }
  expect(await format("a.json", '{"a":1}')).toEqual({ formatter: "prettier", text: '{"A":1}' })
})

test("the configuration knows the built-in formatters", () => {
  expect(formatterDefinitions.map(({ id }) => id)).toEqual(builtinFormatters)
  expect(FormatterConfig.safeParse({ prettier: { disabled: true }, x: { disabled: true } }).success).toBe(true)
  expect(FormatterConfig.safeParse({ prettierd: { command: ["x"] } }).error?.message).toMatch(/give it/)
})
