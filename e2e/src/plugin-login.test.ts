import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { accountPlugin, withAccountPlugin } from "./fixtures/account-plugin.ts"
import { expect, settled, startSession, test } from "./fixtures/service-test.ts"

const program = fileURLToPath(new URL("../../apps/cli/src/main.js", import.meta.url))

test("docket plugin login signs in, and logout forgets it", async ({ client, model, project, projectID, server }) => {
  await server.configure(await withAccountPlugin(server.data, model.url))
  model.script({ hello: [{ text: "Hello." }] })
  const docket = async (args: string[], typed = "") => {
    const place = ["--data", server.data, "--project", project.directory]
    const child = spawn(process.execPath, [program, "plugin", ...args, ...place], {
      env: { PATH: process.env.PATH, HOME: server.data, NODE_ENV: "test" },
    })
    child.stdin.end(typed)
    const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)])
    return out + said
  }
  const bad = await docket(["login", accountPlugin], "own\nbad\n")
  expect(bad).toContain("* --way 1: Account")
  expect(bad).toContain("company: Of a company")
  expect(bad).toContain("Copy the code that is shown there.")
  expect(bad).toContain("account did not accept it. Begin again.")
  expect(await docket(["list"])).toMatch(/account\.js .*out of account/)

  // What is given is not asked for.
  const good = await docket(["login", accountPlugin, "--input", "kind=company", "address=docs.example"], "good\n")
  expect(good).toContain(`${model.url}/authorize?for=docs.example`)
  expect(good).toContain(`signed in to account with ${accountPlugin}`)
  await settled(client, await startSession(client, projectID, "hello"))
  expect(model.requests).toHaveLength(1)
  expect(await docket(["list"])).toMatch(/account\.js .*in account/)

  expect(await docket(["logout", accountPlugin])).toContain("is forgotten")
  expect(await docket(["login", accountPlugin, "--way", "3"])).toContain("it has 2 ways to sign in")
  expect(await docket(["login", "nothing"])).toContain('There is no plugin "nothing".')
  expect(await docket(["list"])).toMatch(/account\.js .*out of account/)
})
