import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { allowTestServer, type GitServer, startGitServer } from "@docket/config/git-server"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ServiceWithProject, startServiceWithProject } from "../test/start-service-with-project.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let work: ServiceWithProject
let server: GitServer

beforeAll(async () => {
  server = await startGitServer()
  server.tokens = new Set(["right"])
  work = await startServiceWithProject()
  await mkdir(`${work.home}/.config/docket`, { recursive: true })
  await writeFile(`${work.home}/.config/docket/docket.json`, JSON.stringify(allowTestServer))
})
afterAll(async () => {
  await work.remove()
  await server[Symbol.asyncDispose]()
})

async function docket(args: string[], input = "") {
  const child = spawn(process.execPath, [cli, ...args, "--data", work.data], { env: work.env, cwd: work.project })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { out, error, code: await ended }
}

it("a repository is added with a token that is never shown", async () => {
  const none = await docket(["project", "add", server.url])
  expect(none.error).toContain("did not accept the sign-in")
  expect(none.code).not.toBe(0)
  const save = (token: string) => docket(["credential", "save", "shop", "--for", server.url], `${token}\n`)
  expect((await save("wrong")).out).toBe(`shop signs in to ${server.origin}\n`)
  const wrong = await docket(["project", "add", server.url, "--credential", "shop"])
  expect(wrong.error).toContain("Sign in again: docket credential save shop")
  await save("right")
  const added = await docket(["project", "add", server.url, "--credential", "shop"])
  expect(added).toEqual({ out: `shop is a project now: ${server.url}#main\n`, error: "", code: 0 })
  const { out } = await docket(["credential"])
  expect(out).toMatch(/^name +server +username\nshop +http:\/\/127\.0\.0\.1:\d+ +docket\n$/)
  expect((await docket(["project"])).out).toMatch(/\nshop +http:.*#main +shop\n/)
  expect((await docket(["credential", "remove", "shop"])).out).toBe("shop is removed\n")
})

it("addresses that start programs or hold passwords are refused", async () => {
  for (const [url, why] of [
    ["ext::sh -c id", "begins with https://"],
    ["git@example.org:team/shop.git", "For an address of SSH"],
    ["file:///etc", "begins with https://"],
    ["https://me:secret@git.example.org/shop.git", "holds a name or a password"],
    ["https://169.254.169.254/shop.git", "not on the public internet"],
  ] as const) {
    const { error, code } = await docket(["project", "add", url])
    expect(error).toContain(why)
    expect(code).not.toBe(0)
  }
})
