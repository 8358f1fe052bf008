import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startRoleService } from "./test/start-role-service.ts"

let service: Awaited<ReturnType<typeof startRoleService>>
beforeAll(async () => {
  service = await startRoleService()
})
afterAll(() => service.remove())

const ann = { role: "member", person: "ann" } as const
const ben = { role: "member", person: "ben" } as const
const admin = { role: "admin", person: "ada" } as const
type Who = typeof ann | typeof ben | typeof admin

const mutate = (who: Who, name: string, body: object) =>
  service.send(who, { method: "POST", path: `/api/trpc/${name}`, body })
const query = (who: Who, name: string, input: object) =>
  service.send(who, { method: "GET", path: `/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}` })

/** The result of a call that must have succeeded. */
function data<T extends z.ZodType>(schema: T, { status, body }: { status: number; body: string }): z.output<T> {
  expect([status, body]).toEqual([200, body])
  const Answer = z.object({ result: z.object({ data: z.unknown() }) })
  return schema.parse(Answer.parse(JSON.parse(body)).result.data)
}
const Made = z.object({ id: z.string() })
const Shares = z.array(Made.extend({ time: z.object({ revoked: z.number().nullable() }) }))

const newSession = async (who: Who) =>
  data(Made, await mutate(who, "session.create", { projectID: service.ids.beside().project, title: "Theirs" })).id
const newShare = async (who: Who, rootID: string) => data(Made, await mutate(who, "share.create", { rootID })).id

it("a member changes their own links, an admin everyone's", async () => {
  const rootID = await newSession(ann)
  const shareID = await newShare(ann, rootID)
  for (const [name, more] of [
    ["update", { title: "taken over" }],
    ["relink", {}],
    ["revoke", {}],
  ] as const) {
    const refused = await mutate(ben, `share.${name}`, { shareID, ...more })
    expect([name, refused.status]).toEqual([name, 403])
    expect(refused.body).toContain("To change and end the links of others, one has to be an admin or an owner.")
    expect((await mutate(ben, `share.${name}`, { shareID: `shr_${"0".repeat(26)}`, ...more })).status).toBe(404)
  }
  expect((await mutate(ann, "share.update", { shareID, title: "Mine" })).body).toContain("Mine")
  expect((await mutate(admin, "share.update", { shareID, title: "Ours" })).body).toContain("Ours")

  const bens = await newShare(ben, rootID)
  expect(data(z.array(Made), await mutate(ben, "share.revokeAll", { rootID })).map(({ id }) => id)).toEqual([bens])
  const open = async () =>
    data(Shares, await query(ann, "share.list", { rootID })).flatMap(({ id, time }) => (time.revoked ? [] : [id]))
  expect(await open()).toEqual([shareID])
  expect(data(z.array(Made), await mutate(admin, "share.revokeAll", { rootID })).map(({ id }) => id)).toEqual([shareID])
  expect(await open()).toEqual([])
})

it("a member removes sessions they created, an admin everyone's", async () => {
  const [first, second] = [await newSession(ann), await newSession(ann)]
  const refused = await mutate(ben, "session.remove", { sessionID: first })
  expect([refused.status, refused.body.includes("To remove sessions of others")]).toEqual([403, true])
  expect((await query(ben, "session.get", { sessionID: first })).status).toBe(200)
  expect((await mutate(ben, "session.remove", { sessionID: `ses_${"0".repeat(26)}` })).status).toBe(404)
  expect((await mutate(ann, "session.remove", { sessionID: first })).status).toBe(200)
  expect((await mutate(admin, "session.remove", { sessionID: second })).status).toBe(200)
  expect((await query(ben, "session.get", { sessionID: second })).status).toBe(404)
})

it("only its author changes a comment, whatever roles others have", async () => {
  const sessionID = await newSession(ann)
  const said = { sessionID, place: { kind: "session" }, text: "By ann" }
  const Thread = z.object({ comments: z.array(Made) })
  const commentID = data(Thread, await mutate(ann, "review.thread.create", said)).comments[0]?.id
  for (const [name, sent] of Object.entries({ edit: { text: "By another" }, delete: {} })) {
    const refused = await mutate(admin, `review.thread.${name}`, { commentID, ...sent })
    expect([refused.status, refused.body.includes("Only its author")]).toEqual([403, true])
  }
  expect((await mutate(ann, "review.thread.edit", { commentID, text: "By ann again" })).status).toBe(200)
})

it("an admin manages tokens of their own workspace only", async () => {
  const operator = { role: "owner", isOperator: true } as const
  const post = (who: Parameters<typeof service.send>[0], path: string, body: object) =>
    service.send(who, { method: "POST", path, body })
  const theirs = await post(operator, "/api/tokens", { tenant: "acme", name: "theirs" })
  const theirID = Made.parse(JSON.parse(theirs.body)).id
  const ours = await post(admin, "/api/tokens", { name: "ours" })
  expect([theirs.status, ours.status]).toEqual([201, 201])
  const listed = (query: string) => service.send(admin, { method: "GET", path: `/api/tokens${query}` })
  expect((await listed("")).body).toContain('"ours"')
  expect((await listed("")).body).not.toContain("theirs")
  for (const tenant of ["acme", "nobody"]) {
    expect((await listed(`?tenant=${tenant}`)).body).toBe('{"tokens":[]}')
    const refused = await post(admin, "/api/tokens", { tenant, name: "planted" })
    expect([refused.status, refused.body.replaceAll(tenant, "…")]).toEqual([
      404,
      expect.stringContaining('There is no tenant \\"…\\"'),
    ])
  }
  for (const id of [theirID, "tok_none"])
    expect((await post(admin, "/api/tokens/revoke", { id })).body.replaceAll(id, "…")).toContain("There is no token …")
  expect((await post(admin, "/api/tokens/revoke", { id: Made.parse(JSON.parse(ours.body)).id })).status).toBe(200)
  const all = await service.send(operator, { method: "GET", path: "/api/tokens?tenant=acme" })
  expect(
    z
      .object({ tokens: Shares })
      .parse(JSON.parse(all.body))
      .tokens.map(({ time }) => time.revoked),
  ).toEqual([null])
})

it("procedures and plain routes report that their workspace was removed", async () => {
  const nowhere = { role: "owner", workspace: "nowhere" } as const
  for (const path of ["/api/trpc/session.list?input={}", `/api/export/${service.ids.beside().session}`]) {
    const { status, body } = await service.send(nowhere, { method: "GET", path })
    expect([status, body.includes("This workspace is not there any more")]).toEqual([404, true])
  }
})

it("me.get returns a person's role and refusals with their exact messages", async () => {
  const Me = z.object({ person: z.string(), role: z.string(), refused: z.record(z.string(), z.string()) })
  const me = data(Me, await service.send(ann, { method: "GET", path: "/api/trpc/me.get" }))
  expect([me.person, me.role, me.refused.prompt]).toEqual(["ann", "member", undefined])
  const refused = await mutate(ann, "config.revokeDirectory", { directory: "/tmp" })
  expect(refused.body).toContain(me.refused["trust.manage"])
  const owner = await service.send({ role: "owner", isOperator: true }, { method: "GET", path: "/api/trpc/me.get" })
  expect(data(Me, owner).refused).toEqual({})
})
