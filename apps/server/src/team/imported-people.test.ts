import { createIdSource } from "@docket/core"
import { SessionFile } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const Made = z.object({ id: z.string() })
const createID = createIdSource()

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

it("imported files cannot attribute words to others; the importer may remove them", async () => {
  const mel = await joinTeam(service, owner, "Mel", "member")
  const { data: me } = await callProcedure(owner, "me.get")
  const ada = { person: z.object({ person: z.string() }).parse(me).person, workspace: "local", name: "Ada" }
  const [project] = z.array(Made).parse((await callProcedure(owner, "project.list")).data)
  const made = await callProcedure(mel.browser, "session.create", { projectID: project?.id, title: "Plans" })
  const exported = await mel.browser.get(`/api/export/${Made.parse(made.data).id}`)
  const file = SessionFile.parse(await exported.json())
  const { rootID } = file
  const place = { rootID, sessionID: rootID, by: ada }
  const threadID = createID("reviewThread")
  const said = { threadID, text: "Ship it.", mentions: [], sent: null, answer: null }
  const times = { created: 1, edited: null, deleted: null }
  const thread = { ...place, id: threadID, taskID: null, anchor: { kind: "session" }, resolved: { by: ada, at: 1 } }
  const forged = {
    ...file,
    sessions: file.sessions.map((each) => ({ ...each, session: { ...each.session, by: ada } })),
    reviews: {
      ...file.reviews,
      threads: [{ ...thread, time: { created: 1 } }],
      comments: [{ ...place, ...said, id: createID("reviewComment"), time: times }],
    },
  }
  const answer = await mel.browser.post(`/api/import?project=${project?.id}&new_ids=1`, forged)
  expect(answer.status).toBe(201)
  const { sessionID } = z.object({ sessionID: z.string() }).parse(await answer.json())
  const { data: threads } = await callProcedure(owner, "review.thread.list", { sessionID })
  expect(threads).toMatchObject([{ comments: [{ text: "Ship it." }] }])
  expect(JSON.stringify(threads)).not.toContain(`"${ada.person}"`)
  expect(JSON.stringify(threads)).toContain(JSON.stringify({ ...ada, person: `imported:${ada.person}` }))
  const nora = await joinTeam(service, owner, "Nora", "member")
  expect((await callProcedure(nora.browser, "session.remove", { sessionID })).status).toBe(403)
  expect((await callProcedure(mel.browser, "session.remove", { sessionID })).status).toBe(200)
})
