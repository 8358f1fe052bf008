import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { nodeTimers } from "@docket/core/timers"
import { expect, inject, onTestFinished, test } from "vitest"
import { createLanguageServers } from "./create-language-servers.ts"
import { createServerRoom } from "./create-server-room.ts"
import { makePlace } from "./test/make-place.ts"

/** The servers of npm are development dependencies of e2e; the others are Debian's. */
const installed = path.resolve(import.meta.dirname, "../../../e2e/node_modules/.bin")

const files = {
  typescript: { name: "a.ts", good: "export const a: number = 1\n", bad: 'export const a: number = "x"\n' },
  pyright: { name: "a.py", good: "a: int = 1\n", bad: 'a: int = "x"\n' },
  json: { name: "a.json", good: '{ "a": 1 }\n', bad: '{ "a": }\n' },
  yaml: { name: "a.yaml", good: "a: 1\n", bad: "a: [1\nb: 2\n" },
  bash: { name: "a.sh", good: "#!/bin/sh\necho hi\n", bad: "#!/bin/sh\nif true; then echo\n" },
  gopls: { name: "a.go", good: "package main\n\nfunc main() {}\n", bad: "package main\n\nfunc main() { x() }\n" },
}

test.runIf(inject("full")).each(Object.entries(files))(
  "the installed %s reports an error and its repair",
  async (id, { name, good, bad }) => {
    const { place, put } = makePlace({ settings: true, search: `${installed}:${process.env.PATH}` })
    const servers = createLanguageServers({
      timers: nodeTimers,
      now: () => performance.now(),
      clock: Date.now,
      room: createServerRoom(),
    })
    onTestFinished(() => servers.close())
    const state = (await servers.list(place)).find((server) => server.id === id)
    if (state?.state === "absent") {
      process.stdout.write(`Not tried: ${id}. ${state.reason}\n`)
      return
    }
    put("tsconfig.json", '{ "compilerOptions": { "strict": true } }')
    put("go.mod", "module example.org/a\n\ngo 1.19\n")
    const check = async (text: string, before: string | null) => {
      const late = Promise.withResolvers<string>()
      const options = { before, signal: new AbortController().signal, onWait: () => {}, onLate: late.resolve }
      const said = await servers.check(place, put(name, text), options)
      return said?.includes("not known yet") ? await late.promise : said
    }
    expect(await check(bad, good)).toMatch(new RegExp(`^${id} reports [1-4] new errors? in ${name}:`))
    expect(await check(good, bad)).toMatch(new RegExp(`^.${id}: no errors in ${name}, [1-4] solved.$`))
    expect(await check(bad, good)).toMatch(/new error/)
  },
)

test.runIf(inject("full"))("TypeScript installs no types of packages", async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-npm-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(path.join(root, "npm"), `#!/bin/sh\necho "$@" >> ${root}/calls.txt\nexit 1\n`, { mode: 0o755 })
  const { place, put } = makePlace({ settings: true, search: `${root}:${installed}:${process.env.PATH}` })
  const servers = createLanguageServers({
    timers: nodeTimers,
    now: () => performance.now(),
    clock: Date.now,
    room: createServerRoom(),
  })
  onTestFinished(() => servers.close())
  put("package.json", '{ "dependencies": { "lodash": "1" } }')
  const options = { before: null, signal: new AbortController().signal, onWait: () => {}, onLate: () => {} }
  await servers.check(place, put("a.js", 'const x = require("lodash")\nx.y\n'), options)
  await servers.check(place, put("b.js", 'require("./a.js")\n'), options)
  expect(existsSync(path.join(root, "calls.txt"))).toBe(false)
})
