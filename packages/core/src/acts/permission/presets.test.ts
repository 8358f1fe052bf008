import { expect, test } from "vitest"
import { describeReasons } from "../../ground/rule/describe-reasons.ts"
import type { PermissionPreset, PermissionRequest, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { PermissionDesk } from "./desk.ts"
import { by, twoDesks } from "./test/two-desks.ts"

/** Sets a session to a preset, and says what the runtime says to its desk. */
async function choose(store: Store, desk: PermissionDesk, session: Session, name: PermissionPreset | null) {
  const preset = name && { name, by, at: 1 }
  await store.write.commit([
    { rootID: session.rootID, mutations: [{ kind: "session.patch", sessionID: session.id, patch: { preset } }] },
  ])
  await desk.reconsider({ rootID: session.rootID, preset })
}

test("a preset counts from the next judgement on, in the session and those below it", async () => {
  const { store, one, ask, pending, root, child } = await twoDesks()
  await ask("a.ts", "allow", { permission: "edit" })
  await choose(store, one, root, "plan")
  await expect(ask("a.ts", "allow", { permission: "edit" })).rejects.toThrow("set to “Plan only”")
  await expect(ask("a.ts", "allow", { permission: "edit", asks: child })).rejects.toThrow("set to “Plan only”")
  void ask("https://example.org", "allow", { permission: "webfetch", asks: child })
  const [request] = await pending(1)
  expect(describeReasons(request as PermissionRequest)).toEqual([
    "This session is set to “Plan only”, which asks for it.",
  ])
  await one.reply(request?.id ?? "", { reply: "once", by })
  await choose(store, one, root, null)
  await ask("a.ts", "allow", { permission: "edit", asks: child })
})

test("what waits and is allowed by a new preset goes on, allowed once by who chose it; the rest waits", async () => {
  const { store, one, ask, pending, root, child } = await twoDesks()
  const edit = ask("a.ts", "ask", { permission: "edit", asks: child })
  await pending(1)
  const held = ask("make", "ask", { isHeld: async () => true })
  void ask("make install", "ask", { isHeld: async () => false })
  await pending(3)
  await choose(store, one, root, "sandbox")
  await Promise.all([edit, held])
  expect(await pending(1)).toMatchObject([{ patterns: ["make install"] }])
  expect(await store.permission.answered(root.id, 10)).toMatchObject([{ patterns: ["make"], status: "once", by }])
})

test("a stricter preset rejects nothing that waits", async () => {
  const { store, one, ask, pending, root } = await twoDesks()
  const asked = ask("a.ts", "ask", { permission: "edit" })
  const [request] = await pending(1)
  await choose(store, one, root, "plan")
  await one.reply(request?.id ?? "", { reply: "once", by })
  await asked
})
