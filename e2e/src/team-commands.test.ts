import { writeFile } from "node:fs/promises"
import path from "node:path"
import { test as base } from "./fixtures/machine-test.ts"
import { type CommandResult, runDocket } from "./fixtures/run-docket.ts"
import { expect } from "./fixtures/service-test.ts"
import { signIn } from "./fixtures/sign-in-machine.ts"
import { joinTeam } from "./fixtures/team-people.ts"

type Docket = (...args: string[]) => Promise<CommandResult>

/** The commands of a machine on which the owner is signed in. */
const test = base
  .extend("config", () => ({ webhooks: { allow: ["127.0.0.1"] } }))
  .extend("docket", async ({ server, owner, home }): Promise<Docket> => {
    await signIn({ home, server }, owner)
    return (...args) => runDocket(args, { cwd: home, home })
  })

/** The output of a command that succeeds. */
async function said(command: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await command
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

/** The error message of a command that fails. */
async function refusal(command: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await command
  expect([code, stdout]).toEqual([2, ""])
  return stderr
}

test("commands invite, change and remove people, and the audit log records it", async ({ server, owner, docket }) => {
  await joinTeam(server, owner, "Bob", "member")
  expect(await said(docket("team", "invite", "eve@example.org", "--role", "viewer"))).toContain("/join#")
  expect(await refusal(docket("team", "invite", "bob@example.org"))).toContain("belongs to this workspace already")
  expect(await refusal(docket("team", "invite", "bob"))).toContain("Invalid email address")
  const members = await said(docket("team", "members"))
  expect(members).toMatch(/^bob@example\.org +member +Bob +since /m)
  expect(members).toMatch(/^eve@example\.org +viewer +invited, until /m)
  expect(await said(docket("team", "role", "bob@example.org", "reviewer"))).toBe(
    "Bob (bob@example.org) is reviewer now.\n",
  )
  expect(await refusal(docket("team", "role", "ada@example.org", "member"))).toContain("the last owner")
  expect(await refusal(docket("team", "role", "bob@example.org", "king"))).toContain("Allowed choices are owner,")
  expect(await said(docket("team", "reset", "bob@example.org"))).toContain("/reset#")
  expect(await said(docket("team", "remove", "eve@example.org"))).toContain("does not work any more")
  expect(await said(docket("team", "remove", "bob@example.org"))).toContain("no member any more")
  expect(await refusal(docket("team", "remove", "bob@example.org"))).toContain("docket team members lists them")
  expect(await said(docket("team", "former"))).toBe("nobody who is gone left private sessions\n")
  expect(await refusal(docket("team", "former", "--show", "nobody"))).toContain("docket team former lists them")

  const log = await said(docket("team", "audit", "--json", "--since", "1h"))
  const acts = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).act)
  expect(acts).toEqual(
    expect.arrayContaining(["person.removed", "person.reset", "person.role", "invitation.made", "invitation.ended"]),
  )
  expect(acts.filter((act) => act === "person.opened")).toEqual([])
  expect(await said(docket("team", "audit", "--act", "person.role"))).toMatch(
    /Ada +changed a role +.*role reviewer.* cli /,
  )
  expect(await refusal(docket("team", "audit", "--person", "bob@example.org"))).toContain("give the name or the id")
  // He had joined before he left.
  expect(await said(docket("team", "audit", "--person", "bob", "--json"))).toContain('"act":"person.joined"')
})

test("a key from a command is shown once and works until revoked", async ({ server, docket }) => {
  expect(await said(docket("team", "keys"))).toBe("no keys\n")
  const made = await said(docket("team", "keys", "--create", "nightly build", "--role", "viewer", "--days", "30"))
  const [, id = ""] = /^(\S+) is the key "nightly build": viewer, until \d{4}-/.exec(made) ?? []
  const [key = ""] = /dkt_\w+/.exec(made) ?? []
  const statusOfKey = async () =>
    (await fetch(`${server.url}/api/trpc/project.list`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await statusOfKey()).toBe(200)
  const listed = await said(docket("team", "keys"))
  expect(listed).toMatch(new RegExp(`^${id} +nightly build +dkt_\\w+… +viewer +all of that +by Ada`))
  expect(listed).not.toContain(key)
  expect(await said(docket("team", "keys", "--revoke", id))).toBe("The key does not work any more.\n")
  expect(await statusOfKey()).toBe(401)
  expect(await refusal(docket("team", "keys", "--revoke", id))).toContain("no such key")
  expect(await refusal(docket("team", "keys", "--create", "x", "--days", "0"))).toContain("whole number")
  const limited = await said(
    docket("team", "keys", "--create", "hook", "--role", "member", "--only", "prompt,read", "--per-minute", "60"),
  )
  expect(limited).toContain('is the key "hook": member (only read, prompt; 60 calls a minute), until it is revoked')
  expect(await said(docket("team", "keys"))).toMatch(/ hook .* member +only read, prompt; 60 calls a minute +by Ada/)
  expect(await refusal(docket("team", "keys", "--create", "x", "--role", "viewer", "--only", "prompt"))).toContain(
    "a key of a viewer can be limited to read",
  )
  expect(await refusal(docket("team", "keys", "--only", "read"))).toContain("name it with --create")
  const byTheService = runDocket(["team", "keys", "--create", "x", "--data", server.data], { cwd: "/", home: "/" })
  expect(await refusal(byTheService)).toContain("docket login")
})

test("commands manage workspaces and operators, also two of the same name", async ({
  server,
  owner,
  docket,
  project,
  home,
}) => {
  const { browser } = await joinTeam(server, owner, "Bob", "member")
  const set = (...options: string[]) => docket("team", "workspace", "set", ...options)
  expect(await said(set())).toContain("any number of sessions")
  const changed = await said(set("--when-removed", "stop", "--turns", "2", "--visibility", "author"))
  expect(changed).toMatch(/seen by who starts them\n.*2 sessions\n.*their running turns stop\n$/)
  expect(await said(set("--root", project.directory))).toContain(project.directory)
  expect(await refusal(set("--root", "nowhere"))).toContain("by its whole path")
  expect(await refusal(set("--turns", "0"))).toContain("or any")
  expect(await said(set("--any", "--turns", "any"))).toMatch(/any\n.*\n.*any number.*\n.*stop\n$/)

  const add = (...given: string[]) => docket("team", "workspace", "add", ...given)
  expect(await said(add("Globex"))).toContain("(globex) is there")
  expect(await said(add("Globex", "--owner", "eve@example.org"))).toMatch(/\(globex-2\)[\s\S]*\/join#/)
  expect(await refusal(add("Hooli", "--id", "Bad!"))).toContain("use lower-case letters")
  expect(await refusal(docket("team", "workspace", "remove", "Globex", "--yes"))).toContain(
    "2 workspaces are called Globex; name one by its id: globex, globex-2",
  )
  expect(await refusal(docket("team", "workspace", "remove", "globex-2"))).toContain("add --yes")
  expect(await said(docket("team", "workspace", "remove", "globex-2", "--yes"))).toContain("is removed")
  expect(await said(docket("team", "workspace", "use", "Globex"))).toBe("You work in Globex now.\n")
  expect(await said(docket("team", "workspace", "rename", "Home"))).toContain("is called Home now")
  expect(await said(docket("team", "workspace", "list"))).toMatch(/^\* +globex +Home +1 person +owner\n +local/)
  expect(await said(set())).toContain("none: name some with --root")
  expect(await said(docket("token", "create", "--name", "robot"))).toMatch(/^atr_/)
  expect(await said(docket("token", "list", "--tenant", "globex"))).toMatch(/^tok_\w+ +globex .* never +robot$/m)
  expect(await refusal(set("--any"))).toContain("only the first workspace may open any")
  expect(await refusal(docket("team", "workspace", "use", "nowhere"))).toContain("docket team workspace list")

  const operator = (...given: string[]) => docket("team", "operator", ...given)
  expect(await said(operator("add", "bob@example.org"))).toContain("Bob (bob@example.org) runs the service now")
  expect(await said(operator("list"))).toMatch(/bob@example\.org +Bob\n/)
  expect(await said(operator("remove", "bob@example.org"))).toContain("does not run the service any more")
  expect(await refusal(operator("add", "nobody@example.org"))).toContain("Nobody has an account")

  await signIn({ home, server }, browser)
  expect(await refusal(set("--when-removed", "finish"))).toContain("admin")
  expect(await refusal(add("Mine"))).toContain("runs the service")
})

test("webhooks are made, tried, paused, given another secret and removed by commands", async ({ docket, server }) => {
  const webhooks = (...given: string[]) => docket("team", "webhooks", ...given)
  expect(await said(webhooks("list"))).toBe("no webhooks\n")
  const nobody = "http://127.0.0.1:9/hook"
  const made = await said(webhooks("add", nobody, "--name", "chat", "--event", "session.idle", "task.failed"))
  expect(made).toMatch(/hears of session\.idle, task\.failed\.[\s\S]*whsec_/)
  const [id = ""] = /whk_\w+/.exec(made) ?? []
  expect(await refusal(webhooks("add", "nonsense"))).toContain("no whole address")
  expect(await refusal(webhooks("add", "https://10.0.0.1/"))).toContain("not on the public internet")
  expect(await refusal(webhooks("add", nobody, "--event", "everything"))).toContain("Allowed choices are session.idle")
  expect(await said(webhooks("list"))).toMatch(new RegExp(`${id} +active +0/0 +chat +${nobody} +session.idle`))
  expect(await said(webhooks("test", id))).toContain(`docket team webhooks deliveries ${id}`)
  await expect
    .poll(async () => said(webhooks("deliveries", id)))
    .toMatch(/webhook\.test +waiting +[1-9]\d* +connect ECONNREFUSED/)
  expect(await said(webhooks("pause", id))).toBe('"chat" is told of nothing more.\n')
  expect(await refusal(webhooks("test", id))).toContain("make it active first")
  expect(await said(webhooks("resume", id))).toBe('"chat" hears of what happens from now on.\n')
  const [delivery = ""] = /whd_\w+/.exec(await said(webhooks("deliveries"))) ?? []
  expect(await said(webhooks("deliveries", "--again", delivery))).toBe(`${delivery} is sent again.\n`)
  const secret = await said(webhooks("secret", id))
  expect(secret).toMatch(/The one before signs too for a day\.\n\n {2}whsec_/)
  expect(made).not.toContain(/whsec_\S+/.exec(secret)?.[0])
  expect(await said(webhooks("remove", id))).toContain("is removed")
  expect(await refusal(webhooks("remove", id))).toContain("There is no webhook")
  expect(await refusal(webhooks("pause", "chat"))).toContain("looks like whk_…")
  const local = runDocket(["team", "webhooks", "list", "--data", server.data], { cwd: "/", home: "/" })
  expect(await said(local)).toBe("no webhooks\n")
})

test("a project is always one of the server's, never a local directory", async ({
  server,
  owner,
  docket,
  project,
  home,
}) => {
  const opened = await owner.post("/api/trpc/project.open", { data: { directory: project.directory } })
  const projectID = (await opened.json()).result.data.id
  const created = await owner.post("/api/trpc/session.create", { data: { projectID, title: "Greet" } })
  const file = path.join(home, "session.json")
  await writeFile(file, await said(docket("export", (await created.json()).result.data.id)))

  const imported = await docket("import", file, "--new-ids")
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('imported "Greet"') })
  expect(await said(docket("sessions"))).toMatch(new RegExp(`${imported.stdout.trim()}.*${project.directory}`))
  const here = await refusal(docket("import", file, "--new-ids", "--project", "."))
  expect(here).toContain(
    `say which project of the server, with --project and its directory there:\n  ${project.directory}`,
  )
  for (const command of [
    ["config", "--project", home.slice(1)],
    ["agents", "list", "--project", "x"],
    ["trust", "x"],
  ])
    expect(await refusal(docket(...command))).toContain("say which project of the server")
  expect(await refusal(docket("import", file, "--project", path.join(home, "nowhere")))).toContain(
    path.join(home, "nowhere"),
  )
  expect(await refusal(docket("trust"))).toContain("nobody can be asked here")
  expect(await refusal(docket("untrust"))).toContain(`you trust nothing in ${project.directory}`)
  expect(await said(docket("agents", "list", "--project", path.basename(project.directory)))).toContain("build")
  const local = await runDocket(["import", file, "--new-ids", "--data", server.data], { cwd: project.directory, home })
  expect(local.code).toBe(0)
})
