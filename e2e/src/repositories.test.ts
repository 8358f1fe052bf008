import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { allowTestServer, type GitServer, startGitServer } from "@docket/config/git-server"
import type { Session } from "@docket/core/schema"
import { onTestFinished } from "vitest"
import { test as base } from "./fixtures/nodes-test.ts"
import { expect, settled, textsOf, toolParts } from "./fixtures/service-test.ts"

const test = base.override("config", () => ({
  ...{ delegation: { envelope: false }, permission: "allow", ...allowTestServer },
}))

const prompt = (client: DocketClient, sessionID: string, text: string) =>
  client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
const bash = (command: string) => ({ tool: "bash", args: { command, description: "runs" } })
const token = "ghs_secretOfTheTest"

async function serverWithToken(): Promise<GitServer> {
  const server = await startGitServer({ "a.txt": "one\n" })
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.tokens = new Set([token])
  return server
}

async function newSession(client: DocketClient, server: GitServer): Promise<Session> {
  await client.credential.save.mutate({ name: "shop", origin: server.origin, token })
  const project = await client.project.add.mutate({ url: server.url, credential: "shop" })
  expect(project).toMatchObject({ place: "any", repository: { ref: "main", credential: "shop" } })
  return client.session.create.mutate({ projectID: project.id })
}

test("after kill -9, a worker of another host has the files", async ({ startNode, model }) => {
  model.script({
    Work: [
      { calls: [bash("echo two > b.txt; echo later >> a.txt; echo l > ignored; echo ignored > .git/info/exclude")] },
      { calls: [bash("sleep 600")] },
      { calls: [bash("cat a.txt b.txt; git status --short; test ! -e ignored")] },
      { text: "Done." },
    ],
  })
  const server = await serverWithToken()
  const web = await startNode("web")
  const workers = [await startNode("worker"), await startNode("worker")]
  const { id: sessionID } = await newSession(web.client, server)
  await prompt(web.client, sessionID, "Work")
  await expect
    .poll(async () => (await toolParts(web.client, sessionID)).map(({ state }) => state.status))
    .toEqual(["completed", "running"])
  await server.until(() => server.has(`refs/docket/${sessionID}`))
  const before = await web.client.session.get.query({ sessionID })
  const holder = workers.find(({ data }) => existsSync(path.join(data, "worktrees", sessionID)))
  await holder?.kill()
  await settled(web.client, sessionID)
  expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done."])
  const [, interrupted, looked] = await toolParts(web.client, sessionID)
  expect(interrupted?.state).toMatchObject({ status: "error", error: expect.stringContaining("Interrupted") })
  expect(looked?.state).toMatchObject({ output: expect.stringContaining("one\nlater\ntwo\n M a.txt\n?? b.txt") })
  await expect
    .poll(async () => (await web.client.session.get.query({ sessionID })).repository)
    .toMatchObject({ problem: null, pushed: expect.any(String) })
  const after = await web.client.session.get.query({ sessionID })
  expect(after.repository?.host).not.toBe(before.repository?.host)
  expect(server.git("show", `refs/heads/docket/${sessionID}:b.txt`)).toBe("two")
  // What needs the files is asked of the host that has them.
  const changed = await web.client.changes.list.query({ sessionID })
  expect(JSON.stringify(changed)).toContain("b.txt")
  expect(await readFile(path.join(after.directory, "b.txt"), "utf8")).toBe("two\n")
})
