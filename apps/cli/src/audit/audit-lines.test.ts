import type { AuditEntry } from "@docket/core/schema"
import { expect, it } from "vitest"
import { auditLines, readTime, readUntil } from "./audit-lines.ts"

const now = Date.UTC(2026, 0, 31, 12)

function entry(n: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  const how = { call: "session.promptAsync", via: "browser", credential: null, address: "192.0.2.1" } as const
  const id = `aud_${String(n).padStart(12, "0")}${"0".repeat(14)}`
  return {
    id,
    at: now - n * 1_000,
    act: "prompted",
    person: { id: "ann", name: "Ann" },
    ...how,
    targets: {},
    facts: {},
    ...fields,
  }
}

/** A fake audit log that is read page by page, and the queries it received. */
function log(entries: AuditEntry[]) {
  const asked: object[] = []
  type Query = { cursor?: string | undefined; limit?: number | undefined }
  const query = async (input: Query = {}) => {
    asked.push(input)
    const { cursor = "0", limit = 100 } = input
    const from = Number(cursor)
    const items = entries.slice(from, from + limit)
    return { items, cursor: from + limit < entries.length ? String(from + limit) : null }
  }
  const member = {
    person: "bob",
    email: "bob@example.org",
    name: "Bob",
    role: "member",
    joined: 0,
    isYou: false,
  } as const
  const team = { members: { query: async () => [member] } }
  return {
    asked,
    client: { audit: { list: { query } }, me: { get: { query: async () => ({ hasTeam: true }) } }, team },
  }
}

async function read(...given: Parameters<typeof auditLines>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of auditLines(...given)) lines.push(line)
  return lines
}

it("the audit table shows each entry's time, person, act, target and origin", async () => {
  const { client } = log([
    entry(1, { act: "person.role", targets: { person: "bob", name: "Bob" }, facts: { role: "viewer" } }),
    entry(2, { act: "call.refused", call: "todo.create", via: "key", credential: "night\u001b[2J bot" }),
    entry(3, { act: "sign-in.failed", person: null, targets: { email: "eve@example.org" } }),
  ])
  const lines = await read(client, {}, now)
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, " | ").trim())).toEqual([
    "2026-01-31 11:59:59 | Ann | changed a role | person bob, name Bob, role viewer | browser 192.0.2.1",
    "2026-01-31 11:59:58 | Ann | was refused: todo.create | key night [2J bot 192.0.2.1",
    "2026-01-31 11:59:57 | somebody | tried to sign in and failed | email eve@example.org | browser 192.0.2.1",
  ])
})

it("--json prints all entries, page by page; --limit a given number", async () => {
  const entries = Array.from({ length: 1_200 }, (_, n) => entry(n))
  const { client, asked } = log(entries)
  expect((await read(client, { json: true }, now)).map((line) => JSON.parse(line))).toEqual(entries)
  // Pages of 500.
  expect(asked).toHaveLength(3)
  expect(await read(client, {}, now)).toHaveLength(100)
  expect(await read(client, { limit: 7, json: true }, now)).toHaveLength(7)
})

it("audit entries are filtered by person, act and time; unreadable input fails", async () => {
  const { client, asked } = log([])
  await read(client, { person: "BOB@example.org", act: "stopped", since: "7d", text: "ses" }, now)
  expect(asked).toMatchObject([{ person: "bob", act: "stopped", since: now - 7 * 86_400_000, text: "ses", limit: 100 }])
  await read(client, { until: "2026-01-30" }, now)
  expect(asked.at(-1)).toMatchObject({ since: undefined, until: Date.UTC(2026, 0, 31) })
  await expect(read(client, { person: "eve@example.org" }, now)).rejects.toThrow("nobody in this workspace")
  const gone = log([entry(1, { act: "person.removed", targets: { person: "mike", name: "Mike" } })])
  // By name: a member, and somebody who was removed.
  for (const person of ["bob", "mike"]) {
    await read(gone.client, { person: person.toUpperCase() }, now)
    expect(gone.asked.at(-1)).toMatchObject({ person })
  }
  await read(client, { person: "usr_1" }, now)
  expect(asked.at(-1)).toMatchObject({ person: "usr_1" })
  const since = (given: string) => readTime("--since", given, now)
  expect([since("90m"), since("2026-01-31")]).toEqual([now - 5_400_000, Date.UTC(2026, 0, 31)])
  expect([readUntil("1h", now), readUntil("2026-01-31T12:00Z", now)]).toEqual([now - 3_600_000, now])
  for (const words of ["yesterday", "7 d", "-1d", "d", "0x7d"]) {
    expect(() => since(words)).toThrow("--since is like")
    expect(() => readUntil(words, now)).toThrow("--until is like")
  }
})
