import { once } from "node:events"
import { readdir, readFile, stat } from "node:fs/promises"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import path from "node:path"
import type { APIRequestContext } from "@playwright/test"
import { startDocket } from "./fixtures/docket-server.ts"
import { test } from "./fixtures/machine-test.ts"
import { makeCertificate } from "./fixtures/make-certificate.ts"
import { runDocket, startDocketCommand } from "./fixtures/run-docket.ts"
import { expect } from "./fixtures/service-test.ts"
import { addressOf, decide, type Machine, shownCode, signIn } from "./fixtures/sign-in-machine.ts"
import { joinTeam } from "./fixtures/team-people.ts"

const docket = ({ home }: Machine, ...args: string[]) => runDocket(args, { cwd: home, home })

test("docket login signs in by an approved code for every command", async ({ server, owner, home, project, model }) => {
  const machine = { home, server }
  const said = await signIn(machine, owner)
  expect(said).toContain(`Signed in to ${addressOf(machine)} as Ada (owner)`)
  const signIns = path.join(home, ".docket/servers")
  expect((await stat(signIns)).mode & 0o777).toBe(0o700)
  for (const file of await readdir(signIns)) expect((await stat(path.join(signIns, file))).mode & 0o777).toBe(0o600)

  model.script({ "Say hello": [{ text: "Hello from the server." }] })
  const ran = await docket(machine, "run", "Say hello", "--format", "json")
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("Hello from the server.")])
  const listed = await docket(machine, "sessions")
  expect(listed.stdout).toContain(project.directory)
  const [id = ""] = listed.stdout.split(" ")
  expect((await docket(machine, "team", "members")).stdout).toContain("ada@example.org")
  expect((await docket(machine, "team", "invite", "bob@example.org")).stdout).toContain(`${addressOf(machine)}/join#`)
  expect((await docket(machine, "share", id)).stdout).toContain(`${addressOf(machine)}/share/`)
  expect((await docket(machine, "export", id)).stdout).toContain("Hello from the server.")
  // An explicit option wins over the last sign-in.
  expect((await docket(machine, "sessions", "--data", path.join(home, "none"))).stderr).toContain("no Docket runs on")
  expect((await docket(machine, "sessions", "--server", addressOf(machine))).code).toBe(0)
  expect((await docket(machine, "sessions", "--server", "https://other.example")).stderr).toContain(
    "docket login --server https://other.example",
  )
})

test("a sign-in is stored in the data directory that DOCKET_DATA names", async ({ server, owner, home }) => {
  const env = { DOCKET_DATA: path.join(home, "elsewhere") }
  await signIn({ home, server, env }, owner)
  expect(await readdir(path.join(env.DOCKET_DATA, "servers"))).toContainEqual(expect.stringMatching(/\.json$/))
  await expect(readdir(path.join(home, ".docket"))).rejects.toThrow("ENOENT")
  const members = await runDocket(["team", "members"], { cwd: home, home, env })
  expect([members.code, members.stdout]).toEqual([0, expect.stringContaining("ada@example.org")])
  // The default server is stored in the same directory.
  const sessions = await runDocket(["sessions"], { cwd: home, home })
  expect(sessions.stderr).toContain("no Docket runs on")
})

test("docket logout ends the sign-in on the server and returns to local", async ({ server, owner, home }) => {
  const machine = { home, server }
  await signIn(machine, owner)
  const [file = ""] = (await readdir(path.join(home, ".docket/servers"))).filter((name) => name.endsWith(".json"))
  const { token } = JSON.parse(await readFile(path.join(home, ".docket/servers", file), "utf8")) as { token: string }
  const statusOfToken = () =>
    fetch(`${server.url}/api/trpc/project.list`, { headers: { authorization: `Bearer ${token}` } }).then(
      (r) => r.status,
    )
  expect(await statusOfToken()).toBe(200)
  expect((await docket(machine, "logout")).stdout).toBe(`Signed out of ${addressOf(machine)}.\n`)
  expect(await statusOfToken()).toBe(401)
  expect(await readdir(path.join(home, ".docket/servers"))).toEqual([])
  expect((await docket(machine, "sessions")).stderr).toContain("no Docket runs on")
  expect((await docket(machine, "logout")).stderr).toContain("you are signed in to no server from here")
})

test("a member works in open projects; a refusal names the needed role", async ({
  server,
  owner,
  home,
  project,
  model,
}) => {
  const machine = { home, server }
  const { browser } = await joinTeam(server, owner, "Bob", "member")
  expect(await signIn(machine, browser)).toContain("as Bob (member)")
  model.script({ "Say hello": [{ text: "Hello." }] })
  expect((await docket(machine, "run", "Say hello")).stdout).toContain("Hello.")
  // No other user sees that session.
  expect((await docket(machine, "run", "Say hello", "--private")).stdout).toContain("Hello.")
  const listed = async (as: APIRequestContext) => {
    const { result } = await (await as.get("/api/trpc/session.list?input=%7B%7D")).json()
    return result.data.items.map(({ session }: { session: { visibility?: string } }) => session.visibility)
  }
  expect([await listed(browser), await listed(owner)]).toEqual([["author", undefined], [undefined]])
  const unknown = "ses_000000000000aaaaaaaaaaaaaa"
  const both = await docket(machine, "run", "Say hello", "--private", "--session", unknown)
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--private is for a new session")])
  expect((await docket(machine, "team", "members")).stdout).toContain("bob@example.org")
  const config = await docket(machine, "config", "--project", project.directory)
  expect([config.code, config.stdout]).toEqual([0, expect.stringContaining("permission")])
  // None of these commands called something that a member may not do.
  expect(await (await owner.get("/api/audit?act=call.refused")).text()).toBe("")
  const refused = await docket(machine, "team", "invite", "eve@example.org")
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("admin")])
})

test("a key of the team in DOCKET_KEY drives a run there", async ({ server, owner, home, project, model }) => {
  const machine = { home, server }
  await signIn(machine, owner)
  const made = await docket(machine, "team", "keys", "--create", "ci", "--role", "member")
  const [key = ""] = /dkt_\S+/.exec(made.stdout) ?? []
  await docket(machine, "logout")
  model.script({ "Say hello": [{ text: "Hello from the server." }] })
  const run = (DOCKET_KEY: string) => {
    const args = ["run", "Say hello", "--server", addressOf(machine), "--project", project.directory]
    return runDocket(args, { cwd: home, home, env: { DOCKET_KEY } })
  }
  const ran = await run(key)
  expect([ran.code, ran.stdout]).toEqual([0, "Hello from the server.\n"])
  expect(ran.stderr).toContain(`${addressOf(machine)}/s/ses_`)
  expect(await run(`${key}x`)).toMatchObject({ code: 2, stderr: expect.stringContaining("refused the token") })
})

test("docket doctor tells a viewer what a viewer may see", async ({ server, owner, home }) => {
  const machine = { home, server }
  const { browser } = await joinTeam(server, owner, "Vic", "viewer")
  await signIn(machine, browser)
  const { code, stdout, stderr } = await docket(machine, "doctor", "--server", addressOf(machine))
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).toContain("answers (1 project)")
  expect(stdout).not.toMatch(/^\W*(?:limits|variables)/m)
})

test("a refused, ended or impossible sign-in is explained", async ({ server, owner, home }) => {
  const machine = { home, server }
  const login = startDocketCommand(["login", "--server", addressOf(machine)], { cwd: home, home })
  await decide(owner, await shownCode(login), "deny")
  const denied = await login.result
  expect([denied.code, denied.stderr]).toEqual([2, "docket: it was refused on the page; you are not signed in\n"])

  await signIn(machine, owner)
  await owner.post("/api/trpc/team.endOtherSignIns", { data: {} })
  const over = await docket(machine, "sessions")
  expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("sign in again with docket login --server")])

  const nobody = await docket(machine, "login", "--server", "http://127.0.0.1:9")
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining("http://127.0.0.1:9 does not answer")])
  const other = await docket(machine, "login", "--server", `http://127.0.0.1:${new URL(addressOf(machine)).port}`)
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining(`reached at ${addressOf(machine)}: name that`),
  ])
  const path = await docket(machine, "login", "--server", `${addressOf(machine)}/s/ses_1`)
  expect([path.code, path.stderr]).toEqual([2, expect.stringContaining("--server is like https://docket.example.org")])
})

test("a server with an unknown certificate gets no request", async ({ home, server }) => {
  const { cert, key } = makeCertificate(home)
  let requests = 0
  const strange = createServer({ cert, key }, (_, response) => {
    requests += 1
    response.end("{}")
  }).listen(0, "127.0.0.1")
  await once(strange, "listening")
  const { port } = strange.address() as AddressInfo
  const { code, stderr } = await docket({ home, server }, "login", "--server", `https://localhost:${port}`)
  strange.close()
  expect([code, stderr, requests]).toEqual([2, expect.stringContaining("does not know who made its certificate"), 0])
})

test("a service without accounts says that it needs no sign-in", async ({ project, home }) => {
  const local = await startDocket({ project: project.directory, web: false })
  const { code, stderr } = await runDocket(["login", "--server", local.url], { cwd: home, home })
  await local.stop()
  expect([code, stderr]).toEqual([2, expect.stringContaining("is no Docket for a team")])
})
