import { expect, it } from "vitest"
import type { SecretPlace, TenantDatabase } from "../ground/store/port/index.ts"
import { newId } from "./rows.ts"

/** The database may hold other secrets of the service, so the tests look at their own. */
export function secretContract(
  openDatabase: () => Promise<{ database: TenantDatabase; tenants: [string, string] }>,
): void {
  const open = async () => {
    const { database, tenants } = await openDatabase()
    const at = (name: string, kind = newKind): SecretPlace => ({ tenantID: tenants[0], kind, name })
    return { ...database, other: tenants[1], at }
  }
  const newKind = newId("host")
  const put = (place: SecretPlace, after: string) => ({ place, before: null, after })

  it("a secret is kept, replaced and removed in its place", async () => {
    const { secrets, at } = await open()
    const place = at("one ключ")
    expect(await secrets.get(place)).toBeNull()
    expect(await secrets.swap([put(place, "a")])).toBe(true)
    const first = await secrets.get(place)
    expect(first).toEqual({ ...place, sealed: "a", updated: expect.any(Number) })
    expect(await secrets.swap([{ place, before: "a", after: "b" }])).toBe(true)
    expect((await secrets.get(place))?.sealed).toBe("b")
    expect(await secrets.swap([{ place, before: "b", after: null }])).toBe(true)
    expect(await secrets.get(place)).toBeNull()
  })

  it("lists the secrets of a tenant and kind by name", async () => {
    const { secrets, at, other } = await open()
    const kind = newId("host")
    const elsewhere = { tenantID: other, kind, name: "a" }
    await secrets.swap([put(at("b", kind), "1"), put(at("a", kind), "2"), put(at("a", newKind), "3")])
    await secrets.swap([put(elsewhere, "4"), put({ ...elsewhere, tenantID: "" }, "5")])
    const listed = async (tenantID: string) =>
      (await secrets.list({ tenantID, kind })).map(({ name, sealed }) => [name, sealed])
    expect(await listed(at("a").tenantID)).toEqual([
      ["a", "2"],
      ["b", "1"],
    ])
    expect(await listed(other)).toEqual([["a", "4"]])
    expect(await listed("")).toEqual([["a", "5"]])
    const all = (await secrets.list()).filter((row) => row.kind === kind)
    expect(all.map(({ sealed }) => sealed).sort()).toEqual(["1", "2", "4", "5"])
    expect(all[0]?.tenantID).toBe("")
  })

  it("of changes that do not all fit, none is made", async () => {
    const { secrets, at } = await open()
    const [one, two] = [at("one"), at("two")]
    await secrets.swap([put(one, "a")])
    const change = { place: one, before: "a", after: "b" }
    for (const second of [
      { place: two, before: "x", after: "y" },
      { place: two, before: "x", after: null },
      put(one, "c"),
    ])
      expect(await secrets.swap([change, second])).toBe(false)
    expect((await secrets.get(one))?.sealed).toBe("a")
    expect(await secrets.get(two)).toBeNull()
    expect(await secrets.swap([change, { place: two, before: null, after: null }])).toBe(true)
    expect(await secrets.swap([{ place: one, before: null, after: null }])).toBe(false)
  })

  it("of many that change a secret at once, one does", async () => {
    const { secrets, at } = await open()
    const place = at("code")
    const counted = async (swaps: { before: string | null; after: string | null }[]) => {
      const done = await Promise.all(swaps.map((swap) => secrets.swap([{ place, ...swap }])))
      return done.filter(Boolean).length
    }
    expect(await counted(["a", "b", "c"].map((after) => ({ before: null, after })))).toBe(1)
    const before = (await secrets.get(place))?.sealed ?? null
    expect(await counted(Array(5).fill({ before, after: null }))).toBe(1)
  })

  it("one holder works with a secret until it lets go", async () => {
    const { secrets, at } = await open()
    const place = at("token")
    expect(await secrets.lease(place, "a", 60_000)).toBe(true)
    await secrets.swap([put(place, "s")])
    expect(await secrets.lease(place, "a", 60_000)).toBe(true)
    expect(await secrets.lease(place, "a", 60_000)).toBe(true)
    expect(await secrets.lease(place, "b", 60_000)).toBe(false)
    // A change of the secret is no end of the work.
    await secrets.swap([{ place, before: "s", after: "t" }])
    await secrets.release(place, "b")
    expect(await secrets.lease(place, "b", 60_000)).toBe(false)
    await secrets.release(place, "a")
    expect(await secrets.lease(place, "b", 0)).toBe(true)
    // Its time is over.
    expect(await secrets.lease(place, "a", 60_000)).toBe(true)
  })

  it("secrets go with their tenant, those of others stay", async () => {
    const { secrets, tenants, at, other } = await open()
    const [own, others] = [at("one"), { ...at("one"), tenantID: other }]
    const service = { ...at(newId("host")), tenantID: "" }
    await secrets.swap([put(own, "a"), put(others, "b"), put(service, "c")])
    await tenants.remove(own.tenantID)
    const left = await Promise.all([own, others, service].map((place) => secrets.get(place)))
    expect(left.map((row) => row?.sealed ?? null)).toEqual([null, "b", "c"])
    await secrets.swap([{ place: service, before: "c", after: null }])
  })
}
