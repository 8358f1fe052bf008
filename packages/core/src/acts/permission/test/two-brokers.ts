import { expect } from "vitest"
import { createBus } from "../../../ground/event/bus.ts"
import { createFinalWrites } from "../../../ground/event/final-writes.ts"
import { createJournal } from "../../../ground/event/journal.ts"
import { createIdSource } from "../../../ground/id/create-id.ts"
import type {
  PermissionRequest,
  PermissionRule,
  PermissionRuleset,
  Question,
  Session,
} from "../../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../../ground/store/index.ts"
import { noTrace } from "../../../ground/trace/trace.ts"
import { newSession } from "../../../test/entities.ts"
import type { PermissionAsk } from "../judge.ts"
import { createPermissionBroker } from "../permission-broker.ts"

export const by = { person: "local", workspace: "local" }

/** The permission brokers of two runtimes on one store, and a session whose calls ask at the first. */
export async function twoBrokers(
  wrap: { one?: (store: Store) => Partial<Store>; other?: (store: Store) => Partial<Store> } = {},
) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const clock = () => 1
  const brokerOn = ({ write, permission, standingGrant }: Store) => {
    const onError = (error: unknown) => {
      throw error
    }
    const bus = createBus(onError)
    const journal = createJournal({ store: { write }, bus })
    const finalWrites = createFinalWrites({ bus, onError })
    return createPermissionBroker({
      store: permission,
      standing: standingGrant,
      sessions: store.session,
      write,
      journal,
      finalWrites,
      isShared: true,
      createID,
      clock,
      trace: noTrace,
    })
  }
  const root = newSession(createID)
  await store.write.commit([{ rootID: root.id, mutations: [{ kind: "session", value: root }] }])
  const one = brokerOn({ ...store, ...wrap.one?.(store) })
  const pending = async (count: number): Promise<PermissionRequest[]> => {
    const read = () => store.permission.pending()
    await expect.poll(async () => (await read()).length).toBe(count)
    return read()
  }
  const child = { ...newSession(createID), parentID: root.id, rootID: root.id }
  const grandchild = { ...newSession(createID), parentID: child.id, rootID: root.id }
  const below = [child, grandchild].map((value) => ({ kind: "session" as const, value }))
  await store.write.commit([{ rootID: root.id, mutations: below }])
  /** Asks at the first broker, for a call of the session `asks`. */
  const ask = (
    pattern: string,
    action: PermissionRule["action"] = "ask",
    {
      asks: session = root,
      metadata = { kind: "other" },
      permission = "bash",
      isConfined,
    }: Partial<{ asks: Session } & Pick<PermissionAsk, "metadata" | "permission" | "isConfined">> = {},
  ) => {
    const request = { permission, patterns: [pattern], always: ["echo *"], metadata, ...(isConfined && { isConfined }) }
    const rules = [{ permission: "*", pattern: "*", action }]
    const place = { messageID: createID("message"), callID: pattern, signal: new AbortController().signal }
    const asked = one.ask({ session, rules, ceilings: [], request, ...place })
    asked.catch(() => {})
    return asked
  }
  const inquire = (questions: Question[], rules: PermissionRuleset = [], asks: Session = root) => {
    const place = { messageID: createID("message"), callID: "question", signal: new AbortController().signal }
    const request = { permission: "question", metadata: { kind: "question" as const, questions } }
    const asked = one.inquire({ session: asks, rules, ceilings: [], request, ...place })
    asked.catch(() => {})
    return asked
  }
  return {
    store,
    one,
    other: brokerOn({ ...store, ...wrap.other?.(store) }),
    ask,
    inquire,
    pending,
    root,
    child,
    grandchild,
  }
}
