import type { ExtensionPlace } from "@docket/core/extension-host"
import { createProgramRoom } from "@docket/core/program-room"
import type { McpServer } from "@docket/core/schema"
import { nodeTimers } from "@docket/core/timers"
import { noTrace } from "@docket/core/trace"
import { expect, test } from "vitest"
import { createServerPool } from "./server-pool.ts"

const place = { project: { id: "prj_1", worktree: "/work" } } as ExtensionPlace

function server(name: string): McpServer {
  return {
    name,
    config: { type: "local", command: ["x"] },
    scope: "user",
    file: "/docket.json",
    line: null,
    files: new Map(),
  }
}

test("servers that nobody uses for an hour are forgotten", () => {
  let now = 0
  const pool = createServerPool({
    ...{ timers: nodeTimers, now: () => now, room: createProgramRoom({ most: 1, names: "servers" }) },
    cache: { read: async () => null, write: async () => {} },
    authOf: async () => null,
    trace: noTrace,
  })
  for (let at = 0; at < 200; at++) pool.of(place, server(`old-${at}`), null)
  const first = server("old-0")
  const found = () => pool.find(place, first, null) !== undefined
  pool.of(place, server("new"), null)
  expect(found()).toBe(true)
  now = 60 * 60_000 + 1
  pool.of(place, server("newer"), null)
  expect(found()).toBe(false)
  // What is new is remembered.
  expect(pool.find(place, server("newer"), null)).toBeDefined()
})
