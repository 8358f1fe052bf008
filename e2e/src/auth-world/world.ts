/**
 * A machine without a network on which all providers are the emulator: a real service signs in with a public plugin by
 * `docket plugin login`, and answers turns through it. It runs in a namespace of its own (see auth-plugins.test.ts), and
 * writes what happened as one line of JSON.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createDocketClient } from "@docket/client"
import { startDocket } from "../fixtures/docket-server.ts"
import { createProject } from "../fixtures/project.ts"
import { startProviderEmulator } from "./provider-emulator.ts"

interface World {
  plugin: string
  provider: string
  /** Models of docket.json: a provider that is not Docket's own names them. */
  models: Record<string, object> | null
  model: string
  cert: string
  key: string
  /** A data directory with the package. */
  data: string
}

const program = fileURLToPath(new URL("../../../apps/cli/src/main.js", import.meta.url))
const { plugin, provider, models, model, cert, key, data } = JSON.parse(process.argv[2] ?? "") as World

const emulator = await startProviderEmulator({ cert: readFileSync(cert), key: readFileSync(key) })
const project = await createProject()
const server = await startDocket({
  ...{ project: project.directory, web: false, data, env: { NODE_EXTRA_CA_CERTS: cert } },
  config: {
    plugin: [plugin],
    model: `${provider}/${model}`,
    ...(models !== null && { provider: { [provider]: { npm: "@ai-sdk/openai-compatible", models } } }),
  },
})
const client = createDocketClient({ url: server.url, token: server.token })
const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
const name = plugin.slice(0, plugin.lastIndexOf("@"))
const isConnected = async () =>
  (await client.provider.list.query({ projectID })).find(({ id }) => id === provider)?.connected ?? false

/** Signs in as a person does: opens the page that is shown, and pastes what it says where a code is wanted. */
async function login(): Promise<string[]> {
  const args = [program, "plugin", "login", name, "--data", data, "--project", project.directory]
  const given = ["--input", "deploymentType=github.com", "--input", "enterpriseUrl="]
  const child = spawn(process.execPath, [...args, ...given], {
    env: { PATH: process.env.PATH, HOME: data, NODE_ENV: "test" },
    stdio: ["pipe", "inherit", "pipe"],
  })
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    const address = /^ {2}(https:\S+)$/.exec(line)?.[1]
    // A page that leads back to this machine is followed to where the plugin listens.
    if (address !== undefined) child.stdin.write(`${await (await fetch(address)).text()}\n`)
  }
  return said
}

async function turn(): Promise<string> {
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Hello" }] })
  const { items } = await client.session.messages.query({ sessionID })
  const last = items.findLast(({ info }) => info.role === "assistant")
  if (last?.info.role !== "assistant") return "nothing"
  const text = last.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  return last.info.error?.message ?? text
}

const before = { connected: await isConnected(), turn: await turn() }
const said = await login()
const first = { connected: await isConnected(), turn: await turn(), grants: [...emulator.grants] }
// What is given from now on is over at once, so that the next request renews it.
emulator.lasting(0)
await login()
emulator.lasting(3_600)
const renewed = { turn: await turn(), again: await turn(), grants: emulator.grants.slice(first.grants.length) }
await client.extension.signOut.mutate({ projectID, kind: "plugin", name })
const after = { connected: await isConnected(), turn: await turn() }
const logged = JSON.stringify(await client.extension.list.query({ projectID }))
const shown = emulator.models.filter(({ authorization }) =>
  logged.includes(authorization?.replace("Bearer ", "") ?? ""),
)
process.stdout.write(
  `${JSON.stringify({ said, before, first, renewed, after, requests: emulator.models.length, leaks: shown.length })}\n`,
)
await server.stop()
await project.remove()
process.exit(0)
