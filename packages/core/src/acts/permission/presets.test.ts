import { expect, test } from "vitest"
import { describeReasons } from "../../ground/rule/describe-ask.ts"
import type { PermissionPreset, PermissionRequest, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { PermissionBroker } from "./permission-broker.ts"
import { by, twoBrokers } from "./test/two-brokers.ts"

/** Sets the preset of a session and notifies the broker, as the runtime does. */
async function choose(store: Store, broker: PermissionBroker, session: Session, name: PermissionPreset | null) {
  const preset = name && { name, by, at: 1 }
  await store.write.commit([
    { rootID: session.rootID, mutations: [{ kind: "session.patch", sessionID: session.id, patch: { preset } }] },
  ])
  await broker.reconsider({ rootID: session.rootID, preset })
}

test("a preset applies at once in the session and those below", async () => {
  const { store, one, ask, pending, root, child } = await twoBrokers()
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

test("a new preset releases waiting requests that it allows", async () => {
  const { store, one, ask, pending, root, child } = await twoBrokers()
  const edit = ask("a.ts", "ask", { permission: "edit", asks: child })
  await pending(1)
  const confined = ask("make", "ask", { isConfined: async () => true })
  void ask("make install", "ask", { isConfined: async () => false })
  await pending(3)
  await choose(store, one, root, "sandbox")
  await Promise.all([edit, confined])
  expect(await pending(1)).toMatchObject([{ patterns: ["make install"] }])
  expect(await store.permission.answered(root.id, 10)).toMatchObject([{ patterns: ["make"], status: "once", by }])
})

test("a stricter preset rejects nothing that waits", async () => {
  const { store, one, ask, pending, root } = await twoBrokers()
  const asked = ask("a.ts", "ask", { permission: "edit" })
  const [request] = await pending(1)
  await choose(store, one, root, "plan")
  await one.reply(request?.id ?? "", { reply: "once", by })
  await asked
})
