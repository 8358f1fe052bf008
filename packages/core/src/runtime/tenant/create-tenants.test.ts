import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryDatabase } from "../../ground/store/index.ts"
import { scriptedRuntime } from "../../test/scripted-runtime.ts"
import { createTenants } from "./create-tenants.ts"

const ci = { person: "ci", workspace: "acme" }
const by = { actor: { kind: "api", name: "ci" } } as const

async function setUp() {
  const database = createInMemoryDatabase()
  const host = await scriptedRuntime(() => [], { store: database.store("local") })
  const clock = { now: 1_000 }
  const tenants = createTenants({
    database,
    local: { id: "local", runtime: host.runtime },
    createID: createIdSource(),
    clock: () => clock.now,
    onError: (error) => host.errors.push(error),
  })
  const token = async (tenantID: string) => (await tenants.createToken({ tenantID, name: "ci" })).token
  return { database, tenants, clock, token, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
}

test("a removed tenant's tokens are invalid; a new namesake starts empty", async () => {
  await using host = await setUp()
  const token = await host.token("acme")
  const acme = (await host.tenants.byToken(token))?.tenant
  await acme?.as(ci).todo.create({ sessionID: null, content: "first" }, by)
  await acme?.as(ci).memory.create({ type: "user", title: "Name", content: "" })
  const owned = { id: "acme", sessions: 0, todos: 1, memories: 1, schedules: 0, tokens: 1 }
  expect((await host.tenants.list()).filter(({ id }) => id === "acme")).toEqual([owned])
  expect(await host.tenants.remove("acme")).toEqual(owned)
  expect(await host.tenants.byToken(token)).toBeNull()
  await expect(host.tenants.remove("acme")).rejects.toMatchObject({ code: "tenant_not_found" })

  const again = (await host.tenants.byToken(await host.token("acme")))?.tenant
  expect(await again?.as(ci).memory.search({ q: "name" })).toEqual([])
  expect(await again?.as(ci).todo.create({ sessionID: null, content: "new" }, by)).toMatchObject({
    number: 1,
    position: 0,
  })
})

test("a token that is read while its tenant is removed opens nothing", async () => {
  await using host = await setUp()
  const token = await host.token("acme")
  const [removed, found] = await Promise.all([host.tenants.remove("acme"), host.tenants.byToken(token)])
  expect(removed.id).toBe("acme")
  await found?.tenant.as(ci).todo.create({ sessionID: null, content: "late" }, by)
  expect((await host.tenants.list()).map(({ id }) => id)).not.toContain("acme")
  expect(await host.tenants.byToken(token)).toBeNull()
})

test("the tenant that runs the agents cannot be removed", async () => {
  await using host = await setUp()
  await expect(host.tenants.remove("local")).rejects.toMatchObject({ code: "invalid_input" })
  expect((await host.tenants.list()).map(({ id, sessions }) => [id, sessions])).toEqual([["local", 1]])
})

test("a token's last use is stored per minute; revoked tokens fail", async () => {
  await using host = await setUp()
  const token = await host.token("acme")
  const used = async () => (await host.tenants.listTokens("acme"))[0]?.time.used
  expect(await used()).toBeNull()
  for (const [now, noted] of [
    [2_000, 2_000],
    [61_999, 2_000],
    [62_000, 62_000],
  ]) {
    host.clock.now = now ?? 0
    await host.tenants.byToken(token)
    expect(await used()).toBe(noted)
  }
  const [info] = await host.tenants.listTokens()
  expect(info).not.toHaveProperty("tokenHash")
  await host.tenants.revokeToken(info?.id ?? "")
  host.clock.now = 200_000
  expect(await host.tenants.byToken(token)).toBeNull()
  expect(await used()).toBe(62_000)
  await expect(host.tenants.revokeToken("tok_none")).rejects.toMatchObject({ code: "token_not_found" })
})

test("a tenant has a token limit, and revoked tokens free a place", async () => {
  await using host = await setUp()
  const [first] = await Promise.all(Array.from({ length: 500 }, () => host.token("acme")))
  await expect(host.token("acme")).rejects.toMatchObject({ code: "too_many_keys" })
  expect(await host.token("other")).toMatch(/^atr_/)
  const found = await host.tenants.byToken(first ?? "")
  await host.tenants.revokeToken(found?.id ?? "")
  expect(await host.token("acme")).toMatch(/^atr_/)
})
