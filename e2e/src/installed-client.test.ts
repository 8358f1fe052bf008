import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import type { DocketClient } from "@docket/client"
import { chromium } from "@playwright/test"
import { afterAll, beforeAll, describe } from "vitest"
import type { DocketServer } from "./fixtures/docket-server.ts"
import { findNode } from "./fixtures/find-node.ts"
import {
  type Elsewhere,
  findTypeErrors,
  goElsewhere,
  install,
  installLinked,
  runInstalled,
} from "./fixtures/fresh-project.ts"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { nextApp } from "./fixtures/next-app.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { serveFolder } from "./fixtures/serve-folder.ts"
import { expect, launch, settled, startSession, test } from "./fixtures/service-test.ts"

const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"

/** What another app installs: only the tarball, with npm, in folders outside of this workspace. */
let elsewhere: Elsewhere
beforeAll(async () => {
  elsewhere = await goElsewhere()
})
afterAll(() => elsewhere?.remove())

const manifest = (devDependencies: Record<string, string>, dependencies: Record<string, string> = {}) =>
  JSON.stringify({
    private: true,
    type: "module",
    dependencies: { "@docket/client": elsewhere.tarball, ...dependencies },
    devDependencies: { typescript: "7.0.2", ...devDependencies },
  })

/** The strictest compiler settings. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "nodenext",
    jsx: "react-jsx",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
  include: ["*.ts", "*.tsx"],
})

const resolutions = [
  ["nodenext", "nodenext"],
  ["node16", "node16"],
  ["esnext", "bundler"],
] as const

/** Calls that compile, and, below each comment, one that must not. */
const typed = `
import { createDocketClient, type DocketErrorCode, docketCode, subscribeTree } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"

const client = createDocketClient({ url: "http://127.0.0.1:4180", token: "secret" })
const session = await client.session.create.mutate({ projectID: "prj_1" })
const title: string = session.title
const code: DocketErrorCode | null = docketCode(new Error("no"))
// @ts-expect-error a title is no number
const amount: number = session.title
// @ts-expect-error the key has another name
await client.session.create.mutate({ project: "prj_1" })
// @ts-expect-error there is no such procedure
await client.session.nothing.query()
// @ts-expect-error it is a query
await client.session.list.mutate({})
// @ts-expect-error what may be left out may not be undefined
createDocketClient({ url: "", others: undefined })
subscribeTree(client, {
  sessionID: session.id,
  onEvent(item) {
    // @ts-expect-error not every event has todos
    item.properties.todos
    if (item.type !== "todo.updated") return
    const [first] = item.properties.todos
    const words: string | undefined = first?.content
    // @ts-expect-error there is no such state
    if (first?.status === "done") process.stdout.write(words ?? "")
  },
})
export function useTitles(): string[] {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.session.list.queryOptions({}))
  // @ts-expect-error the items are called otherwise
  data?.sessions
  return data?.items.map((item) => item.session.title) ?? []
}
export { amount, code, title }
`

/** The code of a documentation page, all blocks joined. */
async function documented(page: string): Promise<string> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8")
  const blocks = [...text.matchAll(/```tsx?\n(.*?)```/gs)].map(([, code = ""]) => code)
  if (blocks.length === 0) throw new Error(`${page} has no code`)
  return [...blocks, "declare function render(shown: unknown): void", "export {}"].join("\n")
}

test("types compile in strict mode, and wrong calls are errors", async ({ skip }) => {
  const folder = await elsewhere.write("typed", {
    "package.json": manifest(
      { "@types/node": "24.10.1", "@types/react": "19.2.7" },
      { "@tanstack/react-query": "5.108.0", "@trpc/tanstack-react-query": "11.22.1", react: "19.3.1" },
    ),
    "tsconfig.json": tsconfig,
    "typed.ts": typed,
    "guide.ts": await documented("docs/client.md"),
    "api.ts": await documented("docs/api.md"),
    "readme.tsx": await documented("packages/client/README.md"),
  })
  const reason = await install(folder)
  if (reason !== null) return skip(reason)
  for (const [module, resolution] of resolutions) {
    // tRPC's own declarations import a package that only its servers need.
    const errors = await findTypeErrors(folder, "--module", module, "--moduleResolution", resolution)
    expect(errors.filter((line) => !line.startsWith("node_modules/@trpc/server/"))).toEqual([])
  }
})

describe("a script in Node", () => {
  let folder: string
  let skipReason: string | null
  beforeAll(async () => {
    folder = await elsewhere.copyExample("todo-watch")
    skipReason = await install(folder)
  })

  test("watches the todo lists of a tree", async ({ client, model, projectID, server, skip }) => {
    if (skipReason !== null) return skip(skipReason)
    expect(await findTypeErrors(folder)).toEqual([])
    await watchTodos([process.execPath, path.join(folder, "watch.ts")], { client, model, projectID, server })
  })

  test("compiled, watches the todo lists in the oldest supported Node", async ({
    client,
    model,
    projectID,
    server,
    skip,
  }) => {
    if (skipReason !== null) return skip(skipReason)
    const { engines } = JSON.parse(
      await readFile(path.join(folder, "node_modules/@docket/client/package.json"), "utf8"),
    )
    const oldest = await findNode(Number(/^>=(\d+)$/.exec(engines.node)?.[1]))
    if (typeof oldest === "string") return skip(oldest)
    const built = await elsewhere.write("todo-watch-built", { "package.json": manifest({}) })
    const reason = await install(built, oldest.file)
    if (reason !== null) return skip(reason)
    await runInstalled(folder, "tsc", "--noEmit", "false", "--outDir", built)
    await watchTodos([oldest.file, path.join(built, "watch.js")], { client, model, projectID, server })
  })
})

interface Watched {
  client: DocketClient
  model: ScriptedModel
  projectID: string
  server: DocketServer
}

/** Runs a script that prints each state of a todo list, and the removal of the session. */
async function watchTodos([node, script]: [string, string], { client, model, projectID, server }: Watched) {
  const gate = createGate()
  const todos = (status: string) => ({
    tool: "todowrite",
    args: { todos: [{ content: "Rest", status, priority: "low" }] },
  })
  model.script({
    "Plan it": [{ calls: [todos("in_progress")] }, { calls: [todos("completed")], gate }, { text: "Done." }],
  })
  const sessionID = await startSession(client, projectID, "Plan it")
  const watcher = spawn(node, [script, server.url, path.join(server.data, "token"), sessionID])
  // Read from the start: Node drops what nobody has read when the process exits.
  const said = text(watcher.stderr)
  const lines = createInterface(watcher.stdout)[Symbol.asyncIterator]()
  try {
    expect(await next(lines)).toMatch(/: 0 of 1$/)
    expect(await next(lines)).toBe("  […] Rest")
    gate.open()
    expect(await next(lines)).toMatch(/: 1 of 1$/)
    expect(await next(lines)).toBe("  [x] Rest")
    await settled(client, sessionID)
    await client.session.remove.mutate({ sessionID })
    expect(await said).toContain("The session was removed.")
  } finally {
    watcher.kill()
  }
}

test("a page of another origin lists running tasks as they change", async ({
  client,
  config,
  model,
  projectID,
  server,
  skip,
}) => {
  if (!existsSync(chromiumPath)) return skip(`there is no browser at ${chromiumPath}`)
  const folder = await elsewhere.copyExample("running-tasks")
  const reason = await install(folder)
  if (reason !== null) return skip(reason)
  await runInstalled(folder, "tsc")
  await runInstalled(folder, "vite", "build")

  const site = await serveFolder(path.join(folder, "dist"))
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] })
  try {
    const page = await browser.newPage()
    const show = async () => {
      await page.goto(site.origin)
      await page.getByLabel("Docket").fill(server.url)
      await page.getByLabel("Key or token").fill(server.token)
      await page.getByRole("button", { name: "Show" }).click()
    }
    const state = () => page.getByRole("status").textContent()
    await show()
    await expect.poll(state).toBe("reconnecting")

    await server.configure(modelConfig(model.url, { ...config, api: { origins: [site.origin] } }))
    await show()
    await expect.poll(state).toBe("live")
    const gate = createGate()
    model.script({
      "Ask around": [{ calls: [launch("explore", "Look for greetings")] }, { text: "Asked." }, { text: "Heard." }],
      "Look for greetings": [{ text: "Found them.", gate }],
    })
    const sessionID = await startSession(client, projectID, "Ask around")
    const rows = () => page.getByRole("listitem").allTextContents()
    await expect.poll(rows).toEqual([expect.stringMatching(/: Look for greetings \(explore\)$/)])
    gate.open()
    await expect.poll(rows).toEqual([])
    await settled(client, sessionID)
  } finally {
    await browser.close()
    site.close()
  }
})

test("a server component of Next calls and subscribes to the service", async ({ client, projectID, server, skip }) => {
  const folder = await elsewhere.write("next", nextApp(elsewhere.tarball))
  const reason = await installLinked(folder)
  if (reason !== null) return skip(reason)
  expect(await findTypeErrors(folder)).toEqual([])
  await runInstalled(folder, "next", "build")
  await client.session.create.mutate({ projectID, title: "Seen by Next" })
  const start = [path.join(folder, "node_modules/next/dist/bin/next"), "start", "--port", "0"]
  const own = { DOCKET_URL: server.url, DOCKET_TOKEN: server.token, NEXT_TELEMETRY_DISABLED: "1" }
  const app = spawn(process.execPath, start, { cwd: folder, env: { ...process.env, ...own } })
  try {
    const origin = await outputMatching(app, /http:\/\/localhost:\d+/)
    const html = await (await fetch(origin)).text()
    expect(html).toContain("<h1>Seen by Next</h1>")
    expect(html).toContain("<p>live</p>")
    expect(html).toContain("<p>loading</p>")
  } finally {
    app.kill()
  }
})

/**
 * Resolves with the matching part of the output. Later output is read too: without a reader, the program would stop.
 */
function outputMatching(child: ChildProcessWithoutNullStreams, words: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ""
    const hear = (chunk: Buffer) => {
      said += chunk
      const [found] = words.exec(said) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.once("error", reject).once("close", () => reject(new Error(`it ended before it said so:\n${said}`)))
  })
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  return String((await lines.next()).value)
}
