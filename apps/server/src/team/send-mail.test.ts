import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { canMakeCertificates, makeCertificate } from "../test/make-certificate.ts"
import { createSendMail } from "./send-mail.ts"
import { smtpOptions } from "./smtp-options.ts"
import { startMailServer } from "./test/start-mail-server.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const from = "Docket <docket@example.org>"
interface Made {
  url: string
  mailed: boolean
}

describe("a team with a mail server", () => {
  let mails: Awaited<ReturnType<typeof startMailServer>>
  let service: TeamService
  let owner: TeamBrowser

  beforeAll(async () => {
    mails = await startMailServer()
    service = await startTeamService({ smtp: { url: mails.url, from } })
    owner = await service.owner()
  })
  afterAll(async () => {
    await service.remove()
    await mails.stop()
  })

  const invite = async (as: TeamBrowser, email: string) =>
    (await callProcedure(as, "team.invite", { email, role: "member" })).data as Made
  const linkIn = (body: string) => /https?:\S+/.exec(body)?.[0] ?? ""

  it("sends an invitation with its link to the address", async () => {
    const made = await invite(owner, "bob@example.org")
    expect(made.mailed).toBe(true)
    const mail = await mails.next()
    expect([mail.from, mail.to]).toEqual(["docket@example.org", ["bob@example.org"]])
    expect(mail.headers.get("subject")).toEqual(["Ada invites you to Docket"])
    expect(mail.headers.get("content-type")).toEqual(["text/plain; charset=utf-8"])
    expect(linkIn(mail.body)).toBe(made.url)
    const secret = made.url.split("#")[1]
    const look = await service.browser().post("/api/auth/invitation/look", { secret })
    expect(await look.json()).toMatchObject({ email: "bob@example.org", role: "member" })
  })

  it("sends a link for a new password to its person", async () => {
    const carol = await joinTeam(service, owner, "Carol", "member")
    await mails.next()
    const made = (await callProcedure(owner, "team.resetLink", { person: carol.person })).data as Made
    expect(made.mailed).toBe(true)
    const mail = await mails.next()
    expect(mail.to).toEqual([carol.email])
    expect(linkIn(mail.body)).toBe(made.url)
    const [secret, password] = [made.url.split("#")[1], "quite another one"]
    expect((await service.browser().post("/api/auth/reset", { secret, password })).status).toBe(200)
  })

  it("puts names into mails as plain text and refuses line breaks", async () => {
    const name = `<b onclick="x">Zoë</b> & Co: "quoted", =?utf-8?q?x?=`
    const { url } = await invite(owner, "zoe@example.org")
    await mails.next()
    const zoe = service.browser()
    const accept = (shown: string) => {
      const secret = url.split("#")[1]
      return zoe.post("/api/auth/invitation/accept", { secret, name: shown, password: "a long password" })
    }
    for (const broken of ["Zoe\r\nBcc: eve@example.org", "Zoe\nBcc: eve@example.org", "Zoe\u2028Bcc: eve@example.org"])
      expect((await accept(broken)).status).toBe(400)
    expect((await accept(name)).status).toBe(200)
    const members = (await callProcedure(owner, "team.members")).data as { person: string; email: string }[]
    const person = members.find(({ email }) => email === "zoe@example.org")?.person
    await callProcedure(owner, "team.setRole", { person, role: "admin" })
    expect((await invite(zoe, "yan@example.org")).mailed).toBe(true)
    const mail = await mails.next()
    expect(mail.to).toEqual(["yan@example.org"])
    expect(mail.headers.get("content-type")).toEqual(["text/plain; charset=utf-8"])
    expect(mail.headers.get("subject")).toEqual([`${name} invites you to Docket`])
    expect(mail.body).toContain(`${name} invites you to Docket as member.`)
  })

  it("refuses several addresses and addresses with headers", async () => {
    for (const email of [
      "bob@example.org, eve@example.org",
      "bob@example.org\r\nBcc: eve@example.org",
      "Bob <bob@example.org>",
      "bob@example.org>\r\nRCPT TO:<eve@example.org",
    ])
      expect((await callProcedure(owner, "team.invite", { email, role: "viewer" })).status).toBe(400)
    expect(mails.waiting()).toBe(0)
  })

  // The last test, because it stops the mail server.
  it("invites despite an unreachable mail server and reports that nothing was mailed", async () => {
    await mails.stop()
    const made = await invite(owner, "dora@example.org")
    expect(made.mailed).toBe(false)
    const secret = made.url.split("#")[1]
    expect((await service.browser().post("/api/auth/invitation/look", { secret })).status).toBe(200)
  })
})

describe("a mail", () => {
  it("has only the given headers and addresses", async () => {
    const server = await startMailServer()
    onTestFinished(server.stop)
    const send = await createSendMail({ url: server.url, from }, () => undefined)
    const subject = "Ada\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>"
    expect(await send({ to: "bob@example.org", subject, text: "one\r\n.\r\nRCPT TO:<eve@example.org>" })).toBe(true)
    const mail = await server.next()
    expect(mail.to).toEqual(["bob@example.org"])
    expect([...mail.headers.keys()].sort()).toEqual(
      [
        "content-transfer-encoding",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
      ].sort(),
    )
    expect(mail.headers.get("subject")).toEqual(["Ada Bcc: eve@example.org  <script>alert(1)</script>"])
    expect(mail.body.trim()).toBe("one\r\n.\r\nRCPT TO:<eve@example.org>")
  })

  it("needs TLS for remote servers unless the settings allow otherwise", () => {
    const of = (url: string, requireTls?: boolean) => {
      const { host, port, secure, requireTLS, tls } = smtpOptions({ url, from, requireTls })
      return [host, port, secure, requireTLS, tls?.rejectUnauthorized ?? true]
    }
    expect(of("smtp://mail.example.org")).toEqual(["mail.example.org", 587, false, true, true])
    expect(of("smtp://mail.example.org:25", false)).toEqual(["mail.example.org", 25, false, false, true])
    expect(of("smtps://mail.example.org")).toEqual(["mail.example.org", 465, true, false, true])
    expect(of("smtp://127.0.0.1.example.org")).toEqual(["127.0.0.1.example.org", 587, false, true, true])
    for (const near of ["localhost", "LocalHost", "127.0.0.1"])
      expect(of(`smtp://${near}:25`)).toEqual([near.toLowerCase(), 25, false, false, false])
    expect(of("smtp://[::1]:25", true)).toEqual(["::1", 25, false, true, true])
    expect(smtpOptions({ url: "smtps://a%40b:p%2Fw@mail.example.org", from }).auth).toEqual({
      user: "a@b",
      pass: "p/w",
    })
  })

  it("is not sent when required TLS is missing", async () => {
    const server = await startMailServer()
    onTestFinished(server.stop)
    const failed: unknown[] = []
    const send = await createSendMail({ url: server.url, from, requireTls: true }, (_, error) => failed.push(error))
    expect(await send({ to: "bob@example.org", subject: "s", text: "t" })).toBe(false)
    expect([failed.length, server.waiting()]).toEqual([1, 0])
  })

  it.skipIf(!canMakeCertificates)("uses TLS when offered, with name and password", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "docket-mail-"))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const pair = makeCertificate(directory, "mail", "mail.example.org")
    const server = await startMailServer({
      cert: readFileSync(pair.cert),
      key: readFileSync(pair.key),
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, { secure }, done) =>
        done(null, secure && password === "p/w" ? { user: username } : undefined),
    })
    onTestFinished(server.stop)
    const send = async (user: string, requireTls?: boolean) => {
      const url = server.url.replace("//", `//${user}@`)
      const mail = await createSendMail({ url, from, requireTls }, () => undefined)
      return mail({ to: "bob@example.org", subject: "s", text: "t" })
    }
    expect(await send("docket:p%2Fw")).toBe(true)
    expect(await server.next()).toMatchObject({ secure: true, user: "docket", to: ["bob@example.org"] })
    expect(await send("docket:wrong")).toBe(false)
    // Where TLS is required the certificate is checked, and this machine does not trust it.
    expect(await send("docket:p%2Fw", true)).toBe(false)
    expect(server.waiting()).toBe(0)
  })
})
