import { expect, it } from "vitest"
import type { OpenStore } from "./make-store.ts"
import { auditEntry } from "./rows.ts"

export function auditContract(open: OpenStore): void {
  it("returns the newest entries first, page by page", async () => {
    const store = await open()
    const entries = [1_000, 3_000, 2_000].map((at) => auditEntry("prompted", { at }))
    const [first, second, third] = entries
    await store.audit.add(entries.slice(0, 2))
    await store.audit.add(entries.slice(2))
    await store.audit.add([])
    expect(await store.audit.read({ limit: 2 })).toEqual([third, second])
    expect(await store.audit.read({ limit: 2, before: second?.id })).toEqual([first])
  })

  it("finds entries by person, act, time and target text", async () => {
    const store = await open()
    const invited = auditEntry("invitation.made", {
      targets: { email: "Bob_B@example.org" },
      facts: { role: "viewer" },
    })
    const prompted = auditEntry("prompted", { at: 2_000, person: { id: "bob", name: "Bob" }, credential: "night bot" })
    const failed = auditEntry("sign-in.failed", { at: 3_000, person: null, targets: { email: "100%@example.org" } })
    await store.audit.add([invited, prompted, failed])
    const found = async (query: object) => (await store.audit.read({ limit: 10, ...query })).map(({ act }) => act)
    expect(await found({ person: "bob" })).toEqual(["prompted"])
    expect(await found({ act: "sign-in.failed" })).toEqual(["sign-in.failed"])
    expect(await found({ since: 2_000, until: 3_000 })).toEqual(["prompted"])
    expect(await found({ text: "bob" })).toEqual(["prompted", "invitation.made"])
    expect(await found({ text: "BOB_b" })).toEqual(["invitation.made"])
    expect(await found({ text: "%" })).toEqual(["sign-in.failed"])
    expect(await found({ text: "b_b@" })).toEqual(["invitation.made"])
    expect(await found({ text: "night BOT" })).toEqual(["prompted"])
    expect(await found({ person: "bob", act: "sign-in.failed" })).toEqual([])
  })

  it("keeps entries exactly, even with odd names, and removes old ones", async () => {
    const store = await open()
    const odd = auditEntry("key.made", {
      targets: { name: "a\0b \ud800 '\"%_" },
      facts: { days: 30, everything: false },
    })
    const young = auditEntry("key.ended", { at: 5_000 })
    await store.audit.add([odd, young])
    expect(await store.audit.read({ limit: 10 })).toEqual([young, odd])
    await expect(store.audit.add([{ ...odd, act: "prompted" }])).rejects.toThrow()
    expect(await store.audit.read({ limit: 10 })).toEqual([young, odd])
    expect(await store.audit.prune(1_000)).toBe(0)
    expect(await store.audit.prune(5_000)).toBe(1)
    expect(await store.audit.read({ limit: 10 })).toEqual([young])
  })
}
