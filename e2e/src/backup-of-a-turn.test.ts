import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createDocketClient, type DocketClient } from "@docket/client"
import { loadCopies, type TableSum } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { vi } from "vitest"
import { z } from "zod"
import { startDocket } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { findProcess, ownSeconds, waitForProcess } from "./fixtures/processes.ts"
import { runDocket } from "./fixtures/run-docket.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import {
  test as base,
  expect,
  launch,
  noticesOf,
  outputsOf,
  settled,
  startSession,
  tasksOf,
  textsOf,
  toolParts,
} from "./fixtures/service-test.ts"
import { expectWhole } from "./fixtures/whole-tree.ts"

const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from the pattern
  .extend("directory", async ({}, { onCleanup }) => {
    const directory = await mkdtemp(path.join(tmpdir(), "docket-backup-"))
    onCleanup(() => rm(directory, { recursive: true, force: true }))
    return directory
  })
  /** Address of the empty database to which a backup is restored; null for SQLite. */
  .extend("emptyUrl", async ({ database, skip }, { onCleanup }) => {
    if (database === "sqlite") return null
    const postgres = await startPostgres()
    if (typeof postgres === "string") return skip(`PostgreSQL is not there: ${postgres}`)
    onCleanup(() => postgres.stop())
    return postgres.url
  })

const Made = z.object({
  rows: z.number(),
  files: z.number(),
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
})
const Restored = z.object({ rows: z.number(), files: z.number(), keptIn: z.null() })

/** Runs an operator command on this database and returns its output. */
async function operate(directory: string, url: string | null, args: string[]): Promise<unknown> {
  const env = url === null ? {} : { DATABASE_URL: url }
  const { code, stdout, stderr } = await runDocket([...args, "--json"], { cwd: directory, home: directory, env })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** Checksums of all tables, read from the database itself. */
async function sumsOf(data: string, url: string | null): Promise<Record<string, TableSum>> {
  const copies = await loadCopies()
  const source =
    url === null ? copies.readSqliteTables(path.join(data, "docket.db")) : await copies.readPostgresTables(url)
  const sums: Record<string, TableSum> = {}
  for (const table of source.tables) sums[table.name] = await copies.sumOf(source.rows(table))
  await source.close()
  return sums
}

/** How often the model was asked to answer this prompt: once per step of a turn. */
function timesAsked({ requests }: ScriptedModel, prompt: string): number {
  return requests.filter(({ messages }) => {
    const content = messages.findLast(({ role }) => role === "user")?.content ?? ""
    const words = typeof content === "string" ? content : content?.map(({ text = "" }) => text).join("\n")
    return words?.startsWith(prompt)
  }).length
}

async function expectStatus(client: DocketClient, sessionID: string, type: string): Promise<void> {
  expect((await client.session.get.query({ sessionID })).status.type).toBe(type)
}

for (const database of ["sqlite", "postgres"] as const) {
  test.describe(`on ${database}`, () => {
    test.override({ database })

    test("a backup of running turns restores as after a crash, without repeats", async ({
      client,
      databaseUrl,
      directory,
      emptyUrl,
      model,
      project,
      projectID,
      server,
    }) => {
      const seconds = ownSeconds(86_000)
      const [first, child] = [createGate(), createGate()]
      const command = `echo ran >> ran.txt; sleep ${seconds}`
      model.script({
        "Take the outcome into account": [{ text: "I know of it." }],
        "Run and ask": [
          {
            text: "I do both.",
            calls: [
              launch("explore", "Dig for callers"),
              { tool: "bash", args: { command, description: "Note it and wait" } },
            ],
          },
          { text: "It was broken off." },
        ],
        "Dig for callers": [
          { text: "I read first.", calls: [{ tool: "read", args: { filePath: "src/main.js" } }] },
          { text: "never", gate: child },
        ],
        "Look at the names": [
          { text: "I read the file.", calls: [{ tool: "read", args: { filePath: "src/names.js" } }] },
          { text: "It splits at commas.", gate: first },
        ],
        "Then the tests": [{ text: "They pass." }],
        "Then the docs": [{ text: "They are short." }],
      })
      const running = await startSession(client, projectID, "Run and ask")
      const begun = waitForProcess(["sleep", seconds]).catch(async (error: Error) => {
        const calls = await toolParts(client, running)
        throw new Error(`${error.message} The calls: ${JSON.stringify(calls.map(({ tool, state }) => [tool, state]))}`)
      })
      await Promise.all([begun, child.reached])
      const asked = await startSession(client, projectID, "Look at the names")
      await first.reached
      for (const text of ["Then the tests", "Then the docs"])
        await client.session.promptAsync.mutate({ sessionID: asked, parts: [{ type: "text", text }] })
      await vi.waitFor(async () => expect(await outputsOf(client, asked, "read")).toHaveLength(1))

      const file = path.join(directory, "backup")
      const made = Made.parse(
        await operate(directory, databaseUrl, ["backup", file, "--data", server.data, "--with-keys"]),
      )
      // The service keeps working while it is backed up.
      for (const sessionID of [running, asked]) await expectStatus(client, sessionID, "busy")
      expect(await findProcess(["sleep", seconds])).toHaveLength(1)
      await server.kill()
      const timesBefore = model.requests.length

      const data = path.join(directory, "restored")
      const restored = Restored.parse(await operate(directory, emptyUrl, ["restore", file, "--data", data]))
      expect(restored).toMatchObject({ rows: made.rows, files: made.files })
      expect(await sumsOf(data, emptyUrl)).toEqual(made.tables)
      expect(model.requests.length).toBe(timesBefore)

      first.open()
      const env = emptyUrl === null ? {} : { DATABASE_URL: emptyUrl }
      const next = await startDocket({ project: project.directory, web: false, data, env })
      try {
        const read = createDocketClient({ url: next.url, token: next.token })
        for (const sessionID of [running, asked]) await settled(read, sessionID)
        await expectWhole(read, running)
        await expectWhole(read, asked)

        expect(await project.read("ran.txt")).toBe("ran\n")
        // "Interrupted" or "interrupted".
        expect(await outputsOf(read, running, "bash")).toEqual([expect.stringContaining("nterrupted")])
        const [task, ...others] = Object.values(await tasksOf(read, running))
        expect([task?.description, task?.state, others]).toEqual(["Dig for callers", "interrupted", []])
        expect(await noticesOf(read, running)).toHaveLength(1)
        expect(await textsOf(read, running, "assistant")).toEqual(["I do both.", "It was broken off.", "I know of it."])
        expect(timesAsked(model, "Dig for callers")).toBe(2)

        expect(await textsOf(read, asked, "assistant")).toEqual([
          "I read the file.",
          "It splits at commas.",
          "They pass.",
          "They are short.",
        ])
        expect(await outputsOf(read, asked, "read")).toHaveLength(1)
        expect([timesAsked(model, "Then the tests"), timesAsked(model, "Then the docs")]).toEqual([1, 1])
      } finally {
        await next.stop()
      }
    })
  })
}
