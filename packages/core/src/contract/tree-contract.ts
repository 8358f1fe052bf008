import { expect, it } from "vitest"
import type { OpenStore } from "./make-store.ts"
import { childOf, newId, putSessions, root } from "./rows.ts"
import { project } from "./transfer-contract.ts"

export function treeContract(open: OpenStore): void {
  it("a tree takes the place of its project and keeps it", async () => {
    const store = await open()
    const there = { ...project, place: "storage:team" }
    await store.project.put(there)
    const session = await putSessions(store, root({ projectID: there.id }))
    await store.project.put({ ...there, place: "any" })
    await putSessions(store, session, childOf(session))
    expect(await store.tree.place(session.id)).toBe("storage:team")
    const later = await putSessions(store, root({ projectID: there.id }))
    expect(await store.tree.place(later.id)).toBe("any")
  })

  it("a tree of a project without place has none", async () => {
    const store = await open()
    await store.project.put(project)
    const [known, unknown] = [root({ projectID: project.id }), root()]
    for (const session of [known, unknown]) {
      await putSessions(store, session)
      expect(await store.tree.place(session.id)).toBe("")
    }
  })

  it("a removed tree has no place", async () => {
    const store = await open()
    const { id } = await putSessions(store, root())
    await store.write.commit([{ rootID: id, mutations: [{ kind: "session.remove", sessionID: id }] }])
    for (const gone of [id, newId("session")]) expect(await store.tree.place(gone)).toBeNull()
  })

  it("a tree whose first commit failed has no place", async () => {
    const store = await open()
    const session = root()
    const orphan = childOf({ ...session, id: newId("session") })
    const mutations = [session, orphan].map((value) => ({ kind: "session" as const, value }))
    await expect(store.write.commit([{ rootID: session.id, mutations }])).rejects.toThrow()
    expect(await store.tree.place(session.id)).toBeNull()
  })
}
