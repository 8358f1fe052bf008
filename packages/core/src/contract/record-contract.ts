import { describe, expect, it } from "vitest"
import type { Session } from "../ground/schema/index.ts"
import type { Records, Store } from "../ground/store/port/index.ts"
import { type AnyRecord, type Cell, cellsOf } from "../ground/store/record/define-record.ts"
import { records } from "../ground/store/record/records.ts"
import { DuplicateError, type WholeRecord } from "../ground/store/record/records-port.ts"
import {
  attachment,
  auditEntry,
  configTrust,
  content,
  draft,
  extensionSwitch,
  extensionUse,
  memory,
  newId,
  pluginAdditions,
  putSessions,
  root,
  schedule,
  scheduleRun,
  share,
  standingGrant,
  todo,
  todoChange,
  webhook,
  webhookDelivery,
} from "./rows.ts"

/** Records whose rows belong to one tenant and are written only by their own port. */
type Name = {
  [N in keyof typeof records]: (typeof records)[N] extends WholeRecord ? Exclude<N, "ApiToken" | "Workspace"> : never
}[keyof typeof records]

/** A row of each record, and a changed version of it. The compiler requires both for a new record. */
type Samples = { [N in Name]: [value: object, changed: object] }

function samplesOf(session: Session, plan = schedule(1), hook = webhook()): Samples {
  const grant = { id: newId("grant"), rootID: session.id, permission: "bash", pattern: "ls *", createdAt: 1 }
  const time = { created: 1_000, opened: 1_000 }
  const project = { id: newId("project"), name: "a", directory: "/a", worktree: "/a", git: false, time }
  const change = (value: object, fields: object): [object, object] => [value, { ...value, ...fields }]
  return {
    // Audit entries cannot be changed in the databases.
    AuditEntry: change(auditEntry("prompted"), {}),
    Attachment: change(attachment(session), { name: "other.png" }),
    Content: change(content(session), { isStored: true, hash: "b".repeat(64) }),
    ConfigTrust: change(configTrust("/a", "a"), { time: { trusted: 2_000 } }),
    Memory: change(memory(1, { sessionID: session.id }), { title: "other" }),
    ExtensionSwitch: change(extensionSwitch("a"), { state: "on", time: { changed: 2_000 } }),
    ExtensionUse: change(extensionUse("a"), { failure: null, time: { used: 2_000 } }),
    PermissionGrant: change(grant, { pattern: "git *" }),
    PluginAdditions: change(pluginAdditions(project.id), { digest: "other", time: { loaded: 2_000 } }),
    Project: change(project, { name: "b", time: { created: 1_000, opened: 2_000 } }),
    ReviewDraft: change(draft(session), { text: "other", time: { created: 1_000, updated: 2_000 } }),
    Schedule: change(plan, { status: "paused", nextFireAt: null }),
    ScheduleRun: change(scheduleRun(plan), { status: "failed", completedAt: 2_000 }),
    Share: change(share(session, "a"), { time: { created: 1_000, revoked: 2_000 } }),
    StandingGrant: change(standingGrant(session), { projectID: null, permission: "edit" }),
    TodoChange: change(todoChange(null, todo(session, 0)), { at: 2_000 }),
    Webhook: change(hook, { url: "https://b.example.org/", status: "paused" }),
    WebhookDelivery: change(webhookDelivery(hook), { status: "delivered", nextAt: null }),
  }
}

const names = Object.keys(samplesOf(root())) as Name[]

/** A record without its static types. */
interface Opened {
  rows: Records
  record: WholeRecord
  value: object
  changed: object
  key: string
}

async function opened(store: Store, name: Name): Promise<Opened> {
  const session = await putSessions(store, root())
  const [plan, hook] = [schedule(1), webhook()]
  if (name !== "Schedule") await store.schedule.put(plan)
  if (name !== "Webhook") await store.webhook.put(hook)
  const [value, changed] = samplesOf(session, plan, hook)[name]
  const record: WholeRecord = records[name]
  return { rows: store.records, record, value, changed, key: String(value[record.key as keyof typeof value]) }
}

function whereEach(record: AnyRecord, value: object): Record<string, Cell>[] {
  return Object.entries(cellsOf(record, value)).map(([name, cell]) => ({ [name]: cell as Cell }))
}

/** @param openTwo returns the stores of two tenants of one database */
export function recordContract(openTwo: () => Promise<[Store, Store]>): void {
  describe.each(names)("%s", (name) => {
    it("is kept, changed, found by each column, and removed", async () => {
      const [store] = await openTwo()
      const { rows, record, value, changed, key } = await opened(store, name)
      expect([await rows.get(record, key), await rows.change(record, key, () => value)]).toEqual([null, null])
      await rows.add(record, [value])
      expect(await rows.get(record, key)).toEqual(value)
      await expect(rows.add(record, [value])).rejects.toThrow(DuplicateError)
      if (name !== "AuditEntry") await rows.put(record, [changed])
      for (const where of whereEach(record, changed))
        expect([where, await rows.find(record, { where, order: [record.key] })]).toEqual([where, [changed]])
      const either = whereEach(record, changed)
      expect(await rows.find(record, { either, order: [`-${record.key}`], limit: 1 })).toEqual([changed])
      expect(await rows.page(record, { where: {}, limit: 1 })).toEqual({ items: [changed], cursor: null })
      expect(await rows.page(record, { where: {}, limit: 1, cursor: key })).toEqual({ items: [], cursor: null })
      if (name !== "AuditEntry") {
        expect(await rows.change(record, key, () => null)).toBeNull()
        const seen: object[] = []
        expect(await rows.change(record, key, (present) => (seen.push(present), value))).toEqual(value)
        expect(seen).toEqual([changed])
      }
      expect(await rows.find(record, { where: { [record.key]: { in: [key] } }, order: [] })).toEqual([value])
      expect(await rows.find(record, { where: { [record.key]: { in: [] } }, order: [] })).toEqual([])
      expect(await rows.find(record, { where: { [record.key]: { not: key } }, order: [] })).toEqual([])
      expect([await rows.remove(record, { [record.key]: key }), await rows.get(record, key)]).toEqual([1, null])
      await rows.put(record, [])
      await rows.add(record, [])
    })

    it("is seen, changed and removed by its tenant alone", async () => {
      const [mine, other] = await openTwo()
      const { rows, record, value, key } = await opened(mine, name)
      await rows.put(record, [value])
      const where = { [record.key]: key }
      expect([
        await other.records.get(record, key),
        await other.records.find(record, { where, order: [] }),
        (await other.records.page(record, { where: {}, limit: 9 })).items,
        await other.records.change(record, key, () => value),
        await other.records.remove(record, where),
      ]).toEqual([null, [], [], null, 0])
      expect(await rows.get(record, key)).toEqual(value)
    })

    it("needs the row that owns it, and is removed with it", async () => {
      const [store, other] = await openTwo()
      const { rows, record, value, key } = await opened(store, name)
      await rows.put(record, [value])
      if (record.owner === "tenant") return
      await expect(other.records.put(record, [value])).rejects.toThrow()
      await expect(other.records.add(record, [value])).rejects.toThrow()
      await removeOwner(store, record, value)
      expect(await rows.get(record, key)).toBeNull()
    })
  })
}

async function removeOwner(store: Store, { owner }: AnyRecord, value: object): Promise<void> {
  const { rootID, sessionID } = value as { rootID?: string; sessionID?: string }
  if (typeof owner === "string") {
    const id = rootID ?? sessionID ?? ""
    await store.write.commit([{ rootID: id, mutations: [{ kind: "session.remove", sessionID: id }] }])
    return
  }
  // For a record that has an owner, the column holds the owner's key.
  const key = (value as Record<string, string>)[owner.column] ?? ""
  await store.records.remove(owner.record as WholeRecord, { [owner.record.key]: key })
}
