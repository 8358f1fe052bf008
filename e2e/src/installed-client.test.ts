import { spawn } from "node:child_process"
import path from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll } from "vitest"
import { type Elsewhere, findTypeErrors, goElsewhere, install } from "./fixtures/fresh-project.ts"
import { createGate } from "./fixtures/gate.ts"
import { expect, settled, startSession, test } from "./fixtures/service-test.ts"

/** What another app installs: only the tarball, by npm, in folders that know nothing of this workspace. */
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

/** As strict as a compiler can be told to be. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
  include: ["*.ts", "*.tsx"],
})

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

test("types are right for the strictest compilers, and wrong calls are errors", async ({ skip }) => {
  const folder = await elsewhere.write("typed", {
    "package.json": manifest(
      { "@types/node": "24.10.1", "@types/react": "19.2.7" },
      { "@tanstack/react-query": "5.108.0", "@trpc/tanstack-react-query": "11.22.1", react: "19.3.1" },
    ),
    "tsconfig.json": tsconfig,
    "typed.ts": typed,
  })
  const reason = await install(folder)
  if (reason !== null) return skip(reason)
  for (const resolution of [[], ["--module", "esnext", "--moduleResolution", "bundler"]]) {
    // tRPC's own declarations name a package that only its servers need.
    const errors = await findTypeErrors(folder, ...resolution)
    expect(errors.filter((line) => !line.startsWith("node_modules/@trpc/server/"))).toEqual([])
  }
})

test("a script in Node watches the todo lists of a tree", async ({ client, model, projectID, server, skip }) => {
  const folder = await elsewhere.copyExample("todo-watch")
  const reason = await install(folder)
  if (reason !== null) return skip(reason)
  expect(await findTypeErrors(folder)).toEqual([])

  const gate = createGate()
  const todos = (status: string) => ({
    tool: "todowrite",
    args: { todos: [{ content: "Rest", status, priority: "low" }] },
  })
  model.script({
    "Plan it": [{ calls: [todos("in_progress")] }, { calls: [todos("completed")], gate }, { text: "Done." }],
  })
  const sessionID = await startSession(client, projectID, "Plan it")
  const tokenFile = path.join(server.data, "token")
  const watcher = spawn(process.execPath, [path.join(folder, "watch.ts"), server.url, tokenFile, sessionID])
  const lines = createInterface(watcher.stdout)[Symbol.asyncIterator]()
  try {
    expect(await next(lines)).toMatch(/: 0 of 1$/)
    expect(await next(lines)).toBe("  […] Rest")
    gate.open()
    expect(await next(lines)).toMatch(/: 1 of 1$/)
    expect(await next(lines)).toBe("  [x] Rest")
    await settled(client, sessionID)
    await client.session.remove.mutate({ sessionID })
    let said = ""
    for await (const chunk of watcher.stderr) said += chunk
    expect(said).toContain("The session was removed.")
  } finally {
    watcher.kill()
  }
})

async function next(lines: AsyncIterator<string>): Promise<string> {
  return String((await lines.next()).value)
}
