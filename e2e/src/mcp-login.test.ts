import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { startSignInServer } from "@docket/mcp/test/sign-in-server"
import { onTestFinished, vi } from "vitest"
import { modelConfig } from "./fixtures/model-config.ts"
import { expect, settled, startSession, test } from "./fixtures/service-test.ts"

const program = fileURLToPath(new URL("../../apps/cli/src/main.js", import.meta.url))

/** `docket mcp login` as it runs, and the page that it shows. */
async function login(data: string, directory: string) {
  const child = spawn(process.execPath, [program, "mcp", "login", "crm", "--data", data, "--project", directory], {
    env: { PATH: process.env.PATH, HOME: data, NODE_ENV: "test" },
    stdio: ["pipe", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill())
  const said: string[] = []
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const page = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line)
      const address = /^ {2}(http\S+)$/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    void text(child.stdout)
    void ended.then((code) => reject(new Error(`It ended with ${code}: ${said.join("\n")}`)))
  })
  return { page, ended, said, paste: (line: string) => child.stdin.write(`${line}\n`) }
}

test.for(["browser", "pasted address"])(
  "docket mcp login signs in by a %s, and logout forgets it",
  async (way, { client, model, project, projectID, server }) => {
    const crm = await startSignInServer()
    model.script({
      hello: [{ text: "Hello." }],
      who: [{ calls: [{ tool: "crm_whoami", args: {} }] }, { text: "Ann." }],
    })
    await server.configure(
      modelConfig(model.url, { permission: "allow", mcp: { crm: { type: "remote", url: crm.url } } }),
    )
    const stateOf = async () => (await client.extension.list.query({ projectID })).map(({ state }) => state)
    await settled(client, await startSession(client, projectID, "hello"))
    await vi.waitFor(async () => expect(await stateOf()).toEqual(["needs-login"]), 30_000)

    const running = await login(server.data, project.directory)
    const back = (await fetch(await running.page, { redirect: "manual" })).headers.get("location") ?? ""
    if (way === "browser") await fetch(back)
    else {
      running.paste("not an address")
      await vi.waitFor(() => expect(running.said.join("\n")).toContain("This is no address"), 10_000)
      running.paste(back)
    }
    expect(await running.ended).toBe(0)
    expect(running.said.at(-1)).toBe("signed in to crm: 1 tool")
    await settled(client, await startSession(client, projectID, "who"))
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("ann")
    await client.extension.signOut.mutate({ projectID, kind: "mcp", name: "crm" })
    await settled(client, await startSession(client, projectID, "who"))
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("needs a sign-in")
  },
)
