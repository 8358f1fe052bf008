import { expect, it } from "vitest"
import { UnknownTreeError } from "../ground/error/docket-error.ts"
import type { Project } from "../ground/schema/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  childOf,
  configTrust,
  newId,
  permissionRequest,
  putSessions,
  root,
  share,
  standingGrant,
  todo,
} from "./rows.ts"

function project(directory: string, opened: number): Project {
  const time = { created: 1_000, opened }
  return { id: newId("project"), name: directory, directory, worktree: directory, git: false, time }
}

export function recordsContract(open: OpenStore): void {
  it("gives the todo lists of a tree by session", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child, childOf(session))
    const lists = { [session.id]: [todo(session, 0), todo(session, 1)], [child.id]: [todo(child, 0)] }
    const mutations = Object.entries(lists).map(([sessionID, value]) => ({ kind: "todos" as const, sessionID, value }))
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.todo.tree(session.id)).toEqual(lists)
    expect(await store.todo.list(child.id)).toEqual(lists[child.id])
    expect(await store.todo.list(newId("session"))).toEqual([])
  })

  it("lists pending permission requests, oldest first, of a tree or of all", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    const child = childOf(session)
    await putSessions(store, session, child)
    await putSessions(store, other)
    const later = permissionRequest(session, { time: { created: 3_000, replied: null } })
    const first = permissionRequest(child, { time: { created: 1_000, replied: null } })
    const elsewhere = permissionRequest(other, { time: { created: 2_000, replied: null } })
    const answered = permissionRequest(session, { status: "rejected", message: "no" })
    for (const value of [later, first, elsewhere, answered]) {
      await store.write.commit([{ rootID: value.rootID, mutations: [{ kind: "permission", value }] }])
    }
    expect(await store.permission.pending()).toEqual([first, elsewhere, later])
    expect(await store.permission.pending(session.id)).toEqual([first, later])
    expect(await store.permission.get(answered.id)).toEqual(answered)
    const once = { ...first, status: "once" as const }
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "permission", value: once }] }])
    expect(await store.permission.pending(session.id)).toEqual([later])
  })

  it("lists a session's answered permission requests, newest first, with limit", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child)
    const asked = (of: typeof session, created: number, replied: number | null) =>
      permissionRequest(of, { status: replied === null ? "pending" : "once", time: { created, replied } })
    const [first, second, ...others] = [
      asked(session, 1_000, 1_500),
      asked(session, 2_000, 2_500),
      asked(session, 3_000, null),
      asked(child, 4_000, 4_500),
    ]
    const mutations = [first, second, ...others].map((value) => ({ kind: "permission", value }) as const)
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.permission.answered(session.id, 10)).toEqual([second, first])
    expect(await store.permission.answered(session.id, 1)).toEqual([second])
    expect(await store.permission.answered(newId("session"), 1)).toEqual([])
  })

  it("lists a project's requests since a time, newest first, with limit", async () => {
    const store = await open()
    const [session, other] = [await putSessions(store, root()), await putSessions(store, root())]
    const child = childOf(session)
    await putSessions(store, session, child)
    const at = (created: number) => ({ time: { created, replied: null } })
    const early = permissionRequest(session, at(1_000))
    const [first, second] = [permissionRequest(session, at(2_000)), permissionRequest(child, at(3_000))]
    const elsewhere = permissionRequest(other, at(4_000))
    for (const value of [early, first, second, elsewhere]) {
      await store.write.commit([{ rootID: value.rootID, mutations: [{ kind: "permission", value }] }])
    }
    const query = { projectID: session.projectID, since: 2_000, limit: 10 }
    expect(await store.permission.since(query)).toEqual([second, first])
    expect(await store.permission.since({ ...query, limit: 1 })).toEqual([second])
  })

  it("keeps grants by tree, and adding one twice changes nothing", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const grant = { id: newId("grant"), rootID: session.id, permission: "bash", pattern: "ls *", createdAt: 2 }
    const earlier = { ...grant, id: newId("grant"), pattern: "git *", sessionID: session.id, createdAt: 1 }
    await store.permission.addGrants([grant, earlier])
    await store.permission.addGrants([grant])
    expect(await store.permission.grants(session.id)).toEqual([earlier, grant])
    expect(await store.permission.grants(newId("session"))).toEqual([])
    await store.permission.addGrants([])
    const lost = { ...grant, id: newId("grant"), rootID: newId("session") }
    await expect(store.permission.addGrants([lost])).rejects.toThrow(UnknownTreeError)
  })

  it("lists all grants newest first, with limit, and removes by id", async () => {
    const store = await open()
    const [session, other] = [await putSessions(store, root()), await putSessions(store, root())]
    const base = { permission: "bash", pattern: "ls *", by: { person: "ann", workspace: "local" }, agent: "build" }
    const older = { ...base, id: newId("grant"), rootID: session.id, requestID: newId("permission"), createdAt: 1 }
    const newer = { ...base, id: newId("grant"), rootID: other.id, createdAt: 2 }
    await store.permission.addGrants([older, newer])
    expect(await store.permission.newestGrants(10)).toEqual([newer, older])
    expect(await store.permission.newestGrants(1)).toEqual([newer])
    expect(await store.permission.removeGrant(older.id)).toBe(true)
    expect([await store.permission.removeGrant(older.id), await store.permission.grants(session.id)]).toEqual([
      false,
      [],
    ])
    expect(await store.permission.grants(other.id)).toEqual([newer])
  })

  it("keeps project-wide and global grants after their session is removed", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const own = standingGrant(session, { time: { created: 2_000 } })
    const everywhere = standingGrant(session, { projectID: null, patterns: ["git *", "ls"], time: { created: 1_000 } })
    const elsewhere = standingGrant(session, { projectID: newId("project"), time: { created: 3_000 } })
    for (const grant of [own, everywhere, elsewhere]) await store.standingGrant.put(grant)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session.remove", sessionID: session.id }] }])
    expect(await store.standingGrant.of(session.projectID)).toEqual([everywhere, own])
    expect(await store.standingGrant.of(newId("project"))).toEqual([everywhere])
    expect(await store.standingGrant.newest(2)).toEqual([elsewhere, own])
    expect([await store.standingGrant.remove(own.id), await store.standingGrant.remove(own.id)]).toEqual([true, false])
    expect(await store.standingGrant.newest(10)).toEqual([elsewhere, everywhere])
  })

  it("finds nothing by ids and numbers that no row can have", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    for (const number of [2 ** 31, Number.MAX_SAFE_INTEGER, 0, -1]) {
      const found = [
        await store.todo.byNumber(number),
        await store.memory.byNumber(number),
        await store.schedule.byNumber(number),
        await store.task.byNumber(session.id, number),
      ]
      expect(found).toEqual([null, null, null, null])
    }
    for (const id of ["\0", `${session.id}\0`, "\ud800", "'", "%"]) {
      const found = [
        await store.session.get(id),
        await store.todo.get(id),
        await store.memory.get(id),
        await store.schedule.get(id),
        await store.transcript.part(id),
      ]
      expect(found).toEqual([null, null, null, null, null])
      const pages = [{ before: id }, { after: id }, { around: id }]
      for (const anchor of pages) await store.transcript.page({ sessionID: session.id, ...anchor, limit: 5 })
      await store.session.listRoots({ search: id, archived: false, limit: 5 })
      expect(await store.todo.find({ scope: { kind: "session", sessionID: id }, agent: id, limit: 5 })).toEqual([])
      expect(await store.memory.list({ tag: id, limit: 5 })).toEqual([])
      expect(await store.schedule.runs({ scheduleID: id, limit: 5 })).toEqual([])
    }
  })

  it("finds projects by id and directory, most recently opened first", async () => {
    const store = await open()
    const [a, b] = [project("/a", 1), project("/b", 2)]
    await store.project.put(a)
    await store.project.put(b)
    expect(await store.project.list()).toEqual([b, a])
    const opened = { ...a, time: { ...a.time, opened: 3 } }
    await store.project.put(opened)
    expect(await store.project.list()).toEqual([opened, b])
    expect(await store.project.get(b.id)).toEqual(b)
    expect(await store.project.byDirectory("/a")).toEqual(opened)
    expect([await store.project.get(newId("project")), await store.project.byDirectory("/c")]).toEqual([null, null])
  })

  it("refuses a second project for the same directory", async () => {
    const store = await open()
    await store.project.put(project("/a", 1))
    await expect(store.project.put(project("/a", 2))).rejects.toThrow("/a is already project")
  })

  it("keeps a project for the same directory at each place", async () => {
    const store = await open()
    const here = project("/a", 1)
    const there = { ...project("/a", 2), place: "storage:team" }
    for (const value of [here, there]) await store.project.put(value)
    expect(await store.project.list()).toEqual([there, here])
    expect(await store.project.byDirectory("/a")).toEqual(here)
    expect(await store.project.byDirectory("/a", "storage:team")).toEqual(there)
    expect(await store.project.byDirectory("/a", "any")).toBeNull()
    const again = { ...project("/a", 3), place: "storage:team" }
    await expect(store.project.put(again)).rejects.toThrow(`/a is already project ${there.id}`)
  })

  it("lists a directory's trusted contents once, newest first, and removes all", async () => {
    const store = await open()
    const older = configTrust("/a", "a", { time: { trusted: 1 } })
    const newer = configTrust("/a", "b", { time: { trusted: 2 }, entries: ["d"] })
    const elsewhere = configTrust("/b", "c")
    for (const trust of [older, newer, elsewhere]) await store.trust.put(trust)
    expect(await store.trust.list("/a")).toEqual([newer, older])
    expect(await store.trust.list()).toEqual([elsewhere, newer, older])
    const renewed = { ...older, time: { trusted: 3 } }
    await store.trust.put(renewed)
    expect(await store.trust.list("/a")).toEqual([renewed, newer])
    await store.trust.remove("/a")
    await store.trust.remove("/none")
    expect([await store.trust.list("/a"), await store.trust.list("/b")]).toEqual([[], [elsewhere]])
  })

  it("finds shares by id or hash and lists a tree's, newest first", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const older = share(session, "a")
    const newer = share(session, "b", { time: { created: 2_000, revoked: null } })
    await store.share.put(older)
    await store.share.put(newer)
    const revoked = { ...older, time: { created: 1_000, revoked: 3_000 } }
    await store.share.put(revoked)
    expect(await store.share.list(session.id)).toEqual([newer, revoked])
    expect(await store.share.get(newer.id)).toEqual(newer)
    expect(await store.share.byHash(older.secretHash)).toEqual(revoked)
    expect([await store.share.get(newId("share")), await store.share.byHash("0".repeat(64))]).toEqual([null, null])
    await expect(store.share.put(share(root(), "c"))).rejects.toThrow(UnknownTreeError)
  })
}
